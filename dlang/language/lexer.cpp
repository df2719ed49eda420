#include "dlang/language/lexer.hpp"

#include <algorithm>
#include <charconv>

#include "dlang/language/characters.hpp"

namespace strut {
namespace {

constexpr bool ends_probe_words(char c) {
  return is_blank(c) || c == '\0' || c == ',' || c == '/' || c == '{' || c == '}' || c == ';' || c == '"';
}

}  // namespace

size_t path_bytes(std::string_view before, std::string_view rest) {
  bool is_about_code = before.starts_with("pid") || before.starts_with("instr") || before.starts_with("watch");
  if (!is_about_code || !before.contains(':') || !rest.starts_with('/')) return 0;
  size_t length = 1;
  while (length < rest.size() && (is_word(rest[length]) || std::string_view("/.+-*~@[]").contains(rest[length])))
    length++;
  bool behind_provider = before.find(':') == before.size() - 1;
  if (behind_provider && length < rest.size() && rest[length] == ':') return length;
  size_t at = rest.substr(0, length).find('@');
  if (at == std::string_view::npos) return 0;
  size_t end = std::min(rest.find_first_not_of("0123456789*?[]-!^", at + 1), rest.size());
  bool is_line = end > at + 1 && (end == rest.size() || rest[end] == ':' || ends_probe_words(rest[end]));
  return is_line ? end : 0;
}

void DLexer::advance(size_t count) {
  for (; count > 0 && here_ < source_.size(); count--) {
    if (source_[here_++] == '\n') {
      where_.line++;
      where_.column = 1;
    } else {
      where_.column++;
    }
  }
}

void DLexer::skip_comment() {
  DPosition began = where_;
  size_t end = source_.find("*/", here_ + 2);
  if (end == std::string_view::npos) reject(DTag::SYNTAX, began, "end-of-file encountered before matching */", "*/");
  advance(end + 2 - here_);
}

/// Only blanks are before it.
bool DLexer::begins_line() const {
  size_t before = here_;
  while (before > 0 && source_[before - 1] != '\n' && is_blank(source_[before - 1])) before--;
  return before == 0 || source_[before - 1] == '\n';
}

void DLexer::skip_blanks() {
  for (;;) {
    if (is_blank(at()) && !ended()) {
      advance(1);
    } else if (looking_at("/*")) {
      skip_comment();
    } else if (at() == '#' && begins_line()) {
      control_line();
    } else {
      return;
    }
  }
}

DToken DLexer::next() {
  skip_blanks();
  if (ended()) return {.word = DWord::End, .at = where_};
  char c = at();
  if (is_digit(c)) return integer();
  if (c == '\'') return character();
  if (c == '"') return text();
  if (c == '@') return aggregation();
  if (c == '$') return macro();
  if (is_letter(c) || c == '`') return identifier();
  return sign();
}

DToken DLexer::peek() const {
  DLexer ahead = *this;
  return ahead.next();
}

DPosition DLexer::position() {
  skip_blanks();
  return where_;
}

DToken DLexer::identifier() {
  DToken token{.word = DWord::Identifier, .at = where_};
  size_t length = 0;
  while (is_word(at(length)) || at(length) == '`') length++;
  token.text = source_.substr(here_, length);
  advance(length);
  token.word = keyword(token.text);
  return token;
}

DToken DLexer::aggregation() {
  DToken token{.word = DWord::Aggregation, .at = where_};
  advance(1);
  size_t length = 0;
  while (is_word(at(length))) length++;
  token.text = source_.substr(here_, length);
  if (length > 0 && is_digit(token.text[0]))
    reject(DTag::SYNTAX, token.at, "an aggregation's name begins with a digit", "a letter");
  advance(length);
  return token;
}

DToken DLexer::sign() {
  for (auto word = static_cast<uint8_t>(DWord::ShiftLeftAssign); word < static_cast<uint8_t>(DWord::Auto); word++) {
    std::string_view spelling = spelling_of(static_cast<DWord>(word));
    if (!looking_at(spelling)) continue;
    DToken token{.word = static_cast<DWord>(word), .at = where_};
    advance(spelling.size());
    return token;
  }
  reject(DTag::SYNTAX, where_, "syntax error near " + quoted_source(source_.substr(here_, 1)), "a word of D");
}

// -- macros ---------------------------------------------------------------------------------------------------------

/// The name behind one or two dollars: digits, or a word.
std::string_view DLexer::macro_name() {
  size_t length = 0;
  if (is_digit(at())) {
    while (is_digit(at(length))) length++;
  } else {
    while (is_word(at(length))) length++;
  }
  std::string_view name = source_.substr(here_, length);
  advance(length);
  return name;
}

/// By the command line, or by a pragma that this text has before.
bool DLexer::has_defaults() const {
  auto is_that = [](const DOption& option) { return option.name == "defaultargs"; };
  return macros_->default_arguments || std::ranges::any_of(*options_, is_that);
}

std::string DLexer::argument_value(std::string_view digits, DPosition where) {
  size_t index = 0;
  auto [end, problem] = std::from_chars(digits.begin(), digits.end(), index);
  if (problem != std::errc{} || index > 10'000)
    reject(DTag::MACRO_OFLOW, where, "macro argument $" + std::string(digits) + " is beyond any number of arguments",
           "at most $10000");
  if (used_->size() <= index) used_->resize(index + 1);
  (*used_)[index] = true;
  if (index < macros_->arguments.size()) return macros_->arguments[index];
  if (!has_defaults())
    reject(DTag::MACRO_UNDEF, where, "macro argument $" + std::string(digits) + " is not defined",
           "an argument behind the program, or -x defaultargs");
  return {};
}

std::string DLexer::macro_value(std::string_view name, DPosition where) {
  if (name.empty()) reject(DTag::SYNTAX, where, "syntax error near \"$\"", "a macro's name or number");
  if (is_digit(name[0])) return argument_value(name, where);
  if (auto value = macros_->variable(name)) return std::to_string(*value);
  bool is_target = name == "target";
  if (is_target && has_defaults()) return "0";
  reject(DTag::MACRO_UNDEF, where, "macro variable $" + std::string(name) + " is not defined",
         is_target ? "-c COMMAND or -p PID" : "pid, ppid, pgid, sid, uid, euid, gid, egid or target");
}

/// An argument is an integer, or a name, or, where it is neither, a string (`execname == $1`).
DToken DLexer::macro_token(const std::string& value, DPosition where) {
  size_t digits = value.starts_with('-') ? 1 : 0;
  if (digits < value.size() && is_digit(value[digits])) {
    DLexer inner(value, *macros_, *used_, *options_);
    inner.advance(digits);
    inner.where_ = where;
    DToken token = inner.integer();
    token.at = where;
    if (inner.ended()) {
      if (digits == 1) {
        token.integer = -token.integer;
        token.text = value;
      }
      return token;
    }
  }
  bool name = !value.empty() && !is_digit(value[0]);
  for (char c : value) name = name && is_word(c);
  DToken token{.word = name ? DWord::Identifier : DWord::Text, .at = where, .text = value};
  if (value.empty()) token = {.word = DWord::Integer, .at = where};
  return token;
}

DToken DLexer::macro() {
  DPosition where = where_;
  bool as_text = looking_at("$$");
  advance(as_text ? 2 : 1);
  std::string value = macro_value(macro_name(), where);
  if (as_text) return {.word = DWord::Text, .at = where, .text = value};
  return macro_token(value, where);
}

// -- probe descriptions ----------------------------------------------------------------------------------------------

std::string DLexer::probe_words() {
  skip_blanks();
  std::string words;
  for (;;) {
    if (size_t length = path_bytes(words, source_.substr(here_)); length != 0) {
      words += source_.substr(here_, length);
      advance(length);
    }
    if (ends_probe_words(at())) return words;
    if (at() == '$') {
      DPosition where = where_;
      advance(looking_at("$$") ? 2 : 1);
      words += macro_value(macro_name(), where);
    } else {
      words += at();
      advance(1);
    }
  }
}

bool DLexer::at_probe_words() const {
  DLexer ahead = *this;
  ahead.skip_blanks();
  size_t length = 0;
  while (is_word(ahead.at(length))) length++;
  return length == 0 || !ends_probe_words(ahead.at(length));
}

}  // namespace strut
