#include "cli/truss/functions.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "base/library_name.hpp"
#include "cli/common/numbers.hpp"

namespace strut {

namespace {

bool matches(const std::string& pattern, std::string_view name) {
  return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
}

/// Libraries match by pattern, the program and the linker by name only.
bool names_module(const FunctionChoice& choice, const ModuleRole& module) {
  const PatternList& list = choice.libraries;
  if (module.kind == ModuleRole::Kind::Library) return list.names(module.name);
  return std::ranges::find(list.patterns, module.name) != list.patterns.end();
}

/// As in other lists, a list that begins with an exclusion starts from everything.
FunctionWish beginning(const std::vector<FunctionChoice>& choices, const ModuleRole& module) {
  bool everything = !choices.empty() && choices.front().libraries.excluded && module.kind == ModuleRole::Kind::Library;
  return everything ? FunctionWish{true, choices.front().internal, choices.front().stops} : FunctionWish{};
}

void take_list(PatternList& list, std::string_view text) {
  if (text.starts_with('!')) {
    list.excluded = true;
    text.remove_prefix(1);
  }
  for (auto word = next_piece(text, ","); !word.empty(); word = next_piece(text, ",")) list.patterns.emplace_back(word);
}

/// Where the next `libs:` begins in a list of functions: behind the comma before a word with a colon.
size_t end_of_functions(std::string_view text) {
  size_t colon = text.find(':');
  if (colon == std::string_view::npos) return text.size();
  size_t comma = text.rfind(',', colon);
  return comma == std::string_view::npos ? text.size() : comma;
}

}  // namespace

bool PatternList::names(std::string_view name) const {
  return patterns.empty() ||
         std::ranges::any_of(patterns, [&](const std::string& pattern) { return matches(pattern, name); });
}

FunctionWish wish_for(const std::vector<FunctionChoice>& choices, const ModuleRole& module, std::string_view function) {
  FunctionWish wish = beginning(choices, module);
  for (const FunctionChoice& choice : choices) {
    if (!names_module(choice, module)) continue;
    if (choice.libraries.excluded) {
      wish = {};
      continue;
    }
    bool named = choice.functions.names(function);
    if (named && choice.functions.excluded) wish = {};
    if (named == choice.functions.excluded) continue;
    wish.traced = true;
    wish.internal = choice.internal || module.kind == ModuleRole::Kind::Program;
    wish.stops = wish.stops || choice.stops;
  }
  return wish;
}

bool names(const FunctionChoice& choice, const ModuleRole& module, std::string_view function) {
  return names_module(choice, module) && (choice.libraries.excluded || choice.functions.names(function));
}

bool may_trace(const std::vector<FunctionChoice>& choices, const ModuleRole& module) {
  bool may = beginning(choices, module).traced;
  for (const FunctionChoice& choice : choices)
    if (names_module(choice, module)) may = !choice.libraries.excluded;
  return may;
}

Result<std::vector<FunctionChoice>> parse_function_choices(std::string_view text, char letter) {
  std::vector<FunctionChoice> choices;
  while (!text.empty()) {
    FunctionChoice choice;
    choice.stops = letter == 'U';
    std::string_view whole = text;
    size_t colon = text.find(':');
    take_list(choice.libraries, text.substr(0, colon));
    for (std::string& library : choice.libraries.patterns) library = std::string(library_name(library));
    text.remove_prefix(colon == std::string_view::npos ? text.size() : colon + 1);
    if (text.starts_with(':')) {
      choice.internal = true;
      text.remove_prefix(1);
    }
    size_t end = end_of_functions(text);
    choice.text = whole.substr(0, static_cast<size_t>(text.data() - whole.data()) + end);
    take_list(choice.functions, text.substr(0, end));
    text = end < text.size() ? text.substr(end + 1) : std::string_view{};
    choices.push_back(std::move(choice));
  }
  if (choices.empty()) return fail_because(std::string("-") + letter + " needs LIBRARIES:FUNCTIONS");
  return choices;
}

}  // namespace strut
