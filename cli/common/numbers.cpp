#include "cli/common/numbers.hpp"

#include <climits>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/plain_text.hpp"

namespace strut {
namespace {

/// Nanoseconds of a unit; nullopt: no such unit.
std::optional<double> unit_ns(std::string_view unit) {
  if (unit.empty() || unit == "us") return 1e3;
  if (unit == "s") return 1e9;
  if (unit == "ms") return 1e6;
  if (unit == "ns") return 1;
  return std::nullopt;
}

Error invalid(std::string_view what, std::string_view word) {
  Error error;
  error.why = "invalid " + std::string(what) + " '" + std::string(word) + "'";
  return error;
}

}  // namespace

std::optional<uint64_t> parse_number(std::string_view text, uint64_t limit) {
  size_t start = text.find_first_not_of(" \t\n\v\f\r");
  if (start == std::string_view::npos) return std::nullopt;
  text.remove_prefix(start);
  if (text[0] == '+') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  uint64_t number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(number, 10u, &number) || __builtin_add_overflow(number, uint64_t(c - '0'), &number))
      return std::nullopt;
  }
  if (number > limit) return std::nullopt;
  return number;
}

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::optional<uint64_t> parse_time_span_ns(std::string_view text) {
  // strtod(3) also reads hexadecimal, "inf" and "nan": none of them is a time.
  if (text.find_first_of("xX") != text.npos || text.find_first_of("nN") < text.find_first_of("0123456789"))
    return std::nullopt;
  std::string copy(text);
  char* end = nullptr;
  double number = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  auto unit = unit_ns(std::string_view(copy).substr(size_t(end - copy.c_str())));
  if (!unit) return std::nullopt;
  double ns = std::ceil(number * *unit);
  return ns < double(INT64_MAX) ? uint64_t(ns) : uint64_t(INT64_MAX);
}

std::optional<Precision> parse_precision(std::string_view text) {
  if (text == "s") return Precision::Seconds;
  if (text == "ms") return Precision::Milliseconds;
  if (text == "us") return Precision::Microseconds;
  if (text == "ns") return Precision::Nanoseconds;
  return std::nullopt;
}

Negatable strip_negation(std::string_view text) {
  bool inverted = false;
  while (text.starts_with('!')) {
    inverted = !inverted;
    text.remove_prefix(1);
  }
  return {text, inverted};
}

std::string_view next_piece(std::string_view& list, std::string_view separators) {
  size_t start = std::min(list.find_first_not_of(separators), list.size());
  list.remove_prefix(start);
  std::string_view piece = list.substr(0, list.find_first_of(separators));
  list.remove_prefix(piece.size());
  return piece;
}

Result<uint32_t> parse_word_set(std::string_view text, std::span<const SetWord> words, std::string_view what) {
  auto [list, inverted] = strip_negation(text);
  uint32_t all = 0, bits = 0;
  for (const SetWord& word : words) all |= word.bits;
  if (list == "none" || list == "all") return (list == "all") != inverted ? all : 0;
  CommaList pieces(list);
  auto next = pieces.next();
  if (!next) return fail(invalid(what, text));
  for (; next; next = pieces.next()) {
    std::string_view piece = *next;
    const SetWord* found = nullptr;
    for (const SetWord& word : words)
      if (same_ignoring_case(word.word, piece)) found = &word;
    if (!found) return fail(invalid(what, piece));
    bits |= found->bits;
  }
  return inverted ? all & ~bits : bits;
}

Result<FdChoice> parse_fd_set(std::string_view text) {
  auto [list, inverted] = strip_negation(text);
  FdChoice choice{{}, inverted};
  if (list == "none") return choice;
  if (list == "all") return FdChoice{{}, !inverted};
  CommaList pieces(list);
  auto piece = pieces.next();
  if (!piece) return fail(invalid("descriptor", text));
  for (; piece; piece = pieces.next()) {
    auto fd = parse_number(*piece, INT_MAX);
    if (!fd) return fail(invalid("descriptor", *piece));
    choice.fds.push_back(int(*fd));
  }
  return choice;
}

}  // namespace strut
