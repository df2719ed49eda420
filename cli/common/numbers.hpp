// Numbers, times and lists of words as strace's options spell them. Pure functions of text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "formatters/strace/style.hpp"
#include "syscalls/decoder.hpp"

namespace strut {

/// A decimal number up to `limit`; leading blanks and a plus sign are allowed as strtoul(3) allows them.
std::optional<uint64_t> parse_number(std::string_view text, uint64_t limit);

/// "380,000".
std::string grouped(uint64_t number);

/// A span of time: a decimal number as strtod(3) reads it, with s, ms, us or ns behind it; without a unit microseconds
/// (strace(1), "Time specification format description"). Nanoseconds, rounded; a value that does not fit becomes the
/// largest.
std::optional<uint64_t> parse_time_span_ns(std::string_view text);

/// "s", "ms", "us", "ns".
std::optional<Precision> parse_precision(std::string_view text);

/// One word of a set and the bits it stands for.
struct SetWord {
  const char* word;
  uint32_t bits;
};
/// `[!]all`, `[!]none` or `[!]word,word…` in any case. `all` is every bit of `words`. The Error's `why` is "invalid"
/// followed by the kind and the quoted word.
Result<uint32_t> parse_word_set(std::string_view text, std::span<const SetWord> words, std::string_view what);

/// `[!]3,4`, `all`, `none`: parse_word_set() for descriptors.
Result<FdChoice> parse_fd_set(std::string_view text);

/// A list's beginning without its `!`s, and whether their number was odd.
struct Negatable {
  std::string_view list;
  bool inverted;
};
Negatable strip_negation(std::string_view text);

/// Takes the first piece off a list, skipping empty ones; empty: nothing is left.
std::string_view next_piece(std::string_view& list, std::string_view separators);

}  // namespace strut
