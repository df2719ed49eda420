#include "symtab/elf/source_names.hpp"

#include "symtab/elf/demangle.hpp"

namespace strut {

namespace {

/// Where a group of brackets ends that begins at `at`.
size_t end_of_group(std::string_view text, size_t at) {
  size_t depth = 0;
  for (; at < text.size(); at++) {
    char c = text[at];
    if (c == '<' || c == '(') depth++;
    if ((c == '>' || c == ')') && --depth == 0) return at + 1;
  }
  return text.size();
}

/// Brackets of names with operators (operator<, operator()) do not come in pairs.
bool has_operator(std::string_view text) { return text.contains("operator"); }

std::string_view without_parameters(std::string_view whole) {
  if (has_operator(whole)) return whole;
  size_t parameters = whole.size();
  for (size_t at = 0; at < whole.size(); at++) {
    if (whole[at] != '<' && whole[at] != '(') continue;
    size_t end = end_of_group(whole, at);
    // (anonymous namespace)::f and f(int)::g are names of scopes.
    if (whole[at] == '(' && !whole.substr(end).starts_with("::")) parameters = at;
    at = end - 1;
  }
  return whole.substr(0, parameters);
}

/// Templates have a return type before their name.
std::string_view without_type(std::string_view name) {
  if (has_operator(name)) return name;
  size_t begin = 0;
  for (size_t at = 0; at < name.size(); at++) {
    if (name[at] == ' ') begin = at + 1;
    if (name[at] == '<' || name[at] == '(') at = end_of_group(name, at) - 1;
  }
  return name.substr(begin);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

void remove_argument(std::string& text, std::string_view argument) {
  for (size_t at; (at = text.find(argument)) != std::string::npos;)
    text.erase(at, end_of_group(text, at + argument.size() - 1) - at);
}

std::string shortened(std::string text) {
  replace_all(text, "std::__cxx11::", "std::");
  for (std::string_view argument : {", std::char_traits<", ", std::allocator<", ", std::default_delete<",
                                    ", std::less<", ", std::hash<", ", std::equal_to<"})
    remove_argument(text, argument);
  replace_all(text, " >", ">");
  replace_all(text, "std::basic_string<char>", "std::string");
  replace_all(text, "std::basic_string_view<char>", "std::string_view");
  return text;
}

}  // namespace

std::vector<std::string> source_names(std::string_view mangled) {
  std::string whole = demangled(mangled);
  if (whole == mangled) return {};
  std::vector<std::string> names{whole, std::string(without_parameters(whole)),
                                 std::string(without_type(without_parameters(whole)))};
  for (size_t i = 0, count = names.size(); i < count; i++) names.push_back(shortened(names[i]));
  return names;
}

}  // namespace strut
