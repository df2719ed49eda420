// Characters of one line of an ltrace.conf(5) file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strut {

/// Reads words and signs; blanks between them do not matter.
class ConfScanner {
 public:
  explicit ConfScanner(std::string_view line) : rest_(line) {}

  /// The next word: letters, digits and _, not beginning with a digit; empty: there is none.
  std::string_view word();
  /// Peeks at the next word.
  std::string_view peek_word();
  /// Takes this word if it stands next, and is no name of a function.
  bool take_word(std::string_view word);
  /// What is between quotation marks, or everything up to a blank or a semicolon.
  std::string_view quoted_or_word();
  /// A function's name: everything up to a blank or a parenthesis.
  std::string_view name();
  /// Takes a sign that stands next.
  bool take(char sign);
  bool next_is(char sign);
  /// Decimal, 0x hexadecimal or 0 octal, with a sign before it; nullopt: no number, or one beyond 64 bits.
  std::optional<int64_t> number();
  bool at_end();
  /// The text here, for a message: a word or a sign, or "the end of the line".
  std::string_view here();

 private:
  void skip_blanks();
  std::string_view rest_;
};

}  // namespace strut
