// Lines that begin with '#': #!, #pragma, #line, #error.
#include <algorithm>
#include <charconv>

#include "dlang/language/characters.hpp"
#include "dlang/language/lexer.hpp"
#include "dlang/language/stability.hpp"

namespace strut {
namespace {

/// Takes words off the front of a line.
struct Words {
  std::string_view rest;

  std::string_view next() {
    skip();
    size_t end = 0;
    while (end < rest.size() && !is_blank(rest[end])) end++;
    std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
  }
  std::string_view all() {
    skip();
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    return rest;
  }
  void skip() {
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  }
};

std::optional<DOption::Kind> kind_of_class(std::string_view name) {
  if (name == "provider") return DOption::Kind::Provider;
  if (name == "module") return DOption::Kind::Module;
  if (name == "library") return DOption::Kind::Library;
  return std::nullopt;
}

std::string unquoted(std::string_view name) {
  bool is_quoted = name.size() > 1 && name.front() == '"' && name.back() == '"';
  return std::string(is_quoted ? name.substr(1, name.size() - 2) : name);
}

}  // namespace

void DLexer::control_line() {
  DPosition where = where_;
  std::string_view line = source_.substr(here_, std::min(source_.find('\n', here_), source_.size()) - here_);
  advance(line.size());
  if (line.starts_with("#!") && where.line == 1) return;
  Words words{line.substr(1)};
  std::string_view directive = words.next();
  if (directive == "pragma") return pragma(words.rest, where);
  if (directive == "line") return line_number(words.rest, where);
  if (!directive.empty() && is_digit(directive[0])) return line_number(line.substr(1), where);  // as cpp writes it
  if (directive == "error") reject(DTag::PRAGERR, where, "#error: " + std::string(words.all()));
  if (directive.empty() || directive == "ident") return;
  reject(DTag::PRAGCTL_INVAL, where, "invalid control directive: #" + std::string(directive),
         "#pragma, #line, #error or #ident");
}

void DLexer::line_number(std::string_view line, DPosition where) {
  Words words{line};
  std::string_view digits = words.next();
  uint32_t number = 0;
  auto [end, problem] = std::from_chars(digits.begin(), digits.end(), number);
  if (problem != std::errc{} || end != digits.end())
    reject(DTag::PRAGMA_MALFORM, where, "malformed #line directive", "a line number");
  where_.line = number - 1;  // cpp says 0, too; the newline that ends the directive is still to come
}

void DLexer::pragma(std::string_view line, DPosition where) {
  Words words{line};
  if (words.next() != "D") return;  // another language's
  std::string_view kind = words.next();
  if (kind == "attributes" || kind == "binding") {  // stabilities and versions, which change nothing
    std::string_view value = words.next();
    if (!words.all().empty()) {
      if (kind == "binding" || parse_stability(value)) return;
      reject(DTag::PRAGMA_MALFORM, where, "invalid attributes specified by #pragma attributes",
             "Stable/Stable/Common and the like");
    }
    std::string form = kind == "binding" ? "binding \"version\" <ident>" : "attributes <attributes> <ident>";
    reject(DTag::PRAGMA_MALFORM, where, "malformed #pragma " + form, "a name");
  }
  if (kind == "depends_on") return dependency(words.rest, where);
  if (kind != "option")
    reject(DTag::PRAGMA_INVAL, where, "invalid pragma: " + quoted_source(kind),
           "option, attributes, binding or depends_on");
  std::string_view option = words.all();
  if (option.empty())
    reject(DTag::PRAGMA_MALFORM, where, "malformed #pragma option <option>=<val>", "name or name=value");
  size_t equals = option.find('=');
  add_option({.name = std::string(option.substr(0, equals)),
              .value = equals == std::string_view::npos ? "" : std::string(option.substr(equals + 1)),
              .at = where});
}

/// `provider NAME`, `module NAME`, `library FILE`.
void DLexer::dependency(std::string_view line, DPosition where) {
  Words words{line};
  std::string_view class_of = words.next(), name = words.next();
  if (name.empty())
    reject(DTag::PRAGMA_MALFORM, where, "malformed #pragma depends_on <class> <name>", "a class and a name");
  auto kind = kind_of_class(class_of);
  if (!kind)
    reject(DTag::PRAGMA_INVAL, where, "invalid class " + std::string(class_of) + " specified by #pragma depends_on",
           "provider, module or library");
  add_option({.kind = *kind, .name = unquoted(name), .at = where});
}

std::optional<DOption> dependency_of(std::string_view line) {
  Words words{line};
  words.skip();
  if (!words.rest.starts_with('#')) return std::nullopt;
  words.rest.remove_prefix(1);
  if (words.next() != "pragma" || words.next() != "D" || words.next() != "depends_on") return std::nullopt;
  auto kind = kind_of_class(words.next());
  std::string_view name = words.next();
  if (!kind || name.empty()) return std::nullopt;
  return DOption{.kind = *kind, .name = unquoted(name), .value = {}, .at = {}};
}

/// A bookmark that was gone back to, or a look ahead, reads the same line again.
void DLexer::add_option(DOption option) {
  for (size_t i = first_option_; i < options_->size(); i++)
    if ((*options_)[i].at.line == option.at.line && (*options_)[i].name == option.name) return;
  options_->push_back(std::move(option));
}

}  // namespace strut
