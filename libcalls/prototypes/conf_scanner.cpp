#include "libcalls/prototypes/conf_scanner.hpp"

#include <algorithm>
#include <charconv>

namespace strut {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

void ConfScanner::skip_blanks() {
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
}

std::string_view ConfScanner::peek_word() {
  skip_blanks();
  size_t length = 0;
  while (length < rest_.size() && (begins_word(rest_[length]) || (length > 0 && is_digit(rest_[length])))) length++;
  return rest_.substr(0, length);
}

std::string_view ConfScanner::word() {
  std::string_view word = peek_word();
  rest_.remove_prefix(word.size());
  return word;
}

bool ConfScanner::take_word(std::string_view word) {
  if (peek_word() != word) return false;
  ConfScanner behind(rest_.substr(word.size()));
  if (behind.next_is('(')) return false;
  rest_.remove_prefix(word.size());
  return true;
}

std::string_view ConfScanner::quoted_or_word() {
  skip_blanks();
  bool quoted = take('"');
  size_t length = std::min(rest_.find_first_of(quoted ? "\"" : " \t\r;"), rest_.size());
  std::string_view text = rest_.substr(0, length);
  rest_.remove_prefix(length);
  if (quoted) take('"');
  return text;
}

std::string_view ConfScanner::name() {
  skip_blanks();
  size_t length = 0;
  while (length < rest_.size() && !is_blank(rest_[length]) && rest_[length] != '(' && rest_[length] != ';') length++;
  std::string_view name = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return name;
}

bool ConfScanner::next_is(char sign) {
  skip_blanks();
  return rest_.starts_with(sign);
}

bool ConfScanner::take(char sign) {
  if (!next_is(sign)) return false;
  rest_.remove_prefix(1);
  return true;
}

std::optional<int64_t> ConfScanner::number() {
  bool negative = take('-');
  if (!negative) take('+');
  skip_blanks();
  int base = 10;
  if (rest_.starts_with("0x") || rest_.starts_with("0X")) {
    base = 16;
    rest_.remove_prefix(2);
  } else if (rest_.size() > 1 && rest_[0] == '0' && is_digit(rest_[1])) {
    base = 8;
  }
  uint64_t value = 0;
  auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
  if (error != std::errc{}) return std::nullopt;
  rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
  return static_cast<int64_t>(negative ? -value : value);
}

bool ConfScanner::at_end() {
  skip_blanks();
  return rest_.empty();
}

std::string_view ConfScanner::here() {
  if (at_end()) return "the end of the line";
  std::string_view word = peek_word();
  return word.empty() ? rest_.substr(0, 1) : word;
}

}  // namespace strut
