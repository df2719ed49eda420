// Integers, characters, strings.
#include "dlang/language/characters.hpp"
#include "dlang/language/lexer.hpp"

namespace strut {

/// As much of a word as a message shows.
std::string_view DLexer::word_from(size_t began) const {
  constexpr size_t kShown = 40;
  size_t end = began;
  while (end < source_.size() && end - began < kShown && is_word(source_[end])) end++;
  return source_.substr(began, end - began);
}

DToken DLexer::integer() {
  DToken token{.word = DWord::Integer, .at = where_};
  unsigned base = 10;
  if (at() == '0' && (at(1) == 'x' || at(1) == 'X') && digit_value(at(2)) < 16) {
    base = 16;
    advance(2);
  } else if (at() == '0') {
    base = 8;
  }
  token.is_decimal = base == 10;
  size_t began = here_;
  for (; digit_value(at()) < (base == 16 ? 16u : 10u); advance(1)) {
    unsigned digit = digit_value(at());
    if (digit >= base)
      reject(DTag::INT_DIGIT, where_,
             "integer constant " + std::string(word_from(began)) + " contains invalid digit " + at(), "0 to 7");
    if (token.integer > (UINT64_MAX - digit) / base)
      reject(
          DTag::INT_OFLOW, token.at,
          "integer constant " + std::string(word_from(began)) + " cannot be represented in any built-in integral type",
          "at most 64 bits");
    token.integer = token.integer * base + digit;
  }
  bool has_fraction = at() == '.' && is_digit(at(1)), has_exponent = base != 16 && (at() == 'e' || at() == 'E');
  if (has_fraction || has_exponent) reject(DTag::SYNTAX, token.at, "floating-point constants are not permitted");
  integer_suffix(token);
  return token;
}

void DLexer::integer_suffix(DToken& token) {
  for (; is_word(at()); advance(1)) {
    char c = at();
    if ((c == 'u' || c == 'U') && !token.is_unsigned) {
      token.is_unsigned = true;
    } else if ((c == 'l' || c == 'L') && token.longs < 2) {
      token.longs++;
    } else {
      return;  // the next word: 0x is 0 and x
    }
  }
}

/// The character after a backslash that has been consumed, with its digits.
char DLexer::escaped(bool in_text) {
  static constexpr std::string_view kNames = "abfnrtv", kValues = "\a\b\f\n\r\t\v";
  char c = at();
  if (size_t named = kNames.find(c); named != std::string_view::npos && c != '\0') {
    advance(1);
    return kValues[named];
  }
  unsigned value = 0;
  if (digit_value(c) < 8) {
    for (int i = 0; i < 3 && digit_value(at()) < 8; i++, advance(1)) value = value * 8 + digit_value(at());
  } else if (c == 'x' && digit_value(at(1)) < 16) {
    advance(1);
    for (int i = 0; i < 2 && digit_value(at()) < 16; i++, advance(1)) value = value * 16 + digit_value(at());
  } else {
    advance(1);  // \" \' \\ \? and whatever else stand for themselves
    return c;
  }
  if (value > 0xff || (value == 0 && in_text))
    reject(in_text ? DTag::SYNTAX : DTag::CHR_OFLOW, where_, "escape sequence stands for no character of a string");
  return static_cast<char>(value);
}

DToken DLexer::text() {
  DToken token{.word = DWord::Text, .at = where_};
  advance(1);
  while (at() != '"') {
    if (ended()) reject(DTag::SYNTAX, token.at, "syntax error near \"\"\"", "a closing \"");
    if (at() == '\n') reject(DTag::STR_NL, where_, "newline encountered in string literal", "a closing \"");
    if (at() == '\0') reject(DTag::SYNTAX, where_, "string contains a NUL byte");
    if (at() != '\\') {
      token.text += at();
      advance(1);
    } else if (advance(1); at() == '\n') {
      advance(1);  // a line goes on in the next one
    } else if (!ended()) {
      token.text += escaped(true);
    }
  }
  advance(1);
  return token;
}

DToken DLexer::character() {
  DToken token{.word = DWord::Character, .at = where_};
  advance(1);
  size_t count = 0;
  for (; at() != '\''; count++) {
    if (ended()) reject(DTag::SYNTAX, token.at, "syntax error near \"'\"", "a closing '");
    if (at() == '\n') reject(DTag::CHR_NL, where_, "newline encountered in character constant", "a closing '");
    if (count == 8) reject(DTag::CHR_OFLOW, token.at, "character constant is too long", "at most 8 characters");
    char c = at();
    if (c == '\\') advance(1);
    if (c == '\\') c = escaped(false);
    else advance(1);
    // The characters are the integer's bytes in memory, from left to right (DTrace Guide, "Constants").
    token.integer |= uint64_t{static_cast<unsigned char>(c)} << (count * 8);
  }
  if (count == 0) reject(DTag::CHR_NULL, token.at, "empty character constant", "a character between the quotes");
  advance(1);
  return token;
}

}  // namespace strut
