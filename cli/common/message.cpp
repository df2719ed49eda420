#include "cli/common/message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <unistd.h>

namespace strut {
namespace {

/// Bytes of the UTF-8 sequence of a printable character at the start of `text`; 0: there is none.
size_t printable_character(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned first = byte(0);
  if (first >= 0x20 && first < 0x7f) return 1;
  size_t length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  if (first >= 0xf5) return 0;
  unsigned code = length == 4 ? first & 7 : length == 3 ? first & 15 : first & 31;
  for (size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr unsigned kLeast[] = {0, 0, 0xa0, 0x800, 0x10000};  // below U+00A0 lie the C1 control characters
  bool direction_mark =
      (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return length && code >= kLeast[length] && !direction_mark ? length : 0;
}

void append_escaped(std::string& to, char c) {
  constexpr std::string_view kNamed = "\t\n\v\f\r", kNames = "tnvfr";
  char escaped[8];
  if (size_t i = kNamed.find(c); i != std::string_view::npos) std::snprintf(escaped, sizeof escaped, "\\%c", kNames[i]);
  else std::snprintf(escaped, sizeof escaped, "\\%03o", static_cast<unsigned char>(c));
  to += escaped;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    size_t length = printable_character(text);
    if (length) plain += text.substr(0, length);
    else append_escaped(plain, text[0]);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return plain;
}

void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

void Messages::say(std::string_view text) { write_to_stderr(printable(program_) + ": " + printable(text) + "\n"); }

void Messages::mention(std::string_view line) {
  if (!quiet_) say(line);
}

void Messages::say(const Error& error) {
  if (error.advice != kTryHelp) return say(describe(error));
  Error plain = error;
  plain.advice.clear();
  say(describe(plain));
  write_to_stderr("Try '" + printable(tool_) + " -h' for more information.\n");
}

}  // namespace strut
