// The ASCII tables of quantize(), lquantize(), llquantize().
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dlang/output/aggregate.hpp"

namespace strut {

/// The count that a bar of full length stands for: the sum of all, or the largest one (-x aggzoom).
enum class DBars : uint8_t { OfSum, OfLargest };

/// Appends the table, with the newline in front of its head and the empty line behind it. Counts are divided by
/// `normal`.
void histogram_into(std::string& out, const DAggregate& aggregate, std::span<const int64_t> words, int64_t normal,
                    DBars bars = DBars::OfSum);

/// A key with its number (-x agghist), or with the words of its distribution (-x aggpack).
struct DKeyedCount {
  std::string key;
  int64_t count = 0;
};
struct DKeyedWords {
  std::string key;
  std::span<const int64_t> words;
};

/// Appends a line for each key with a bar, below a head.
void bars_into(std::string& out, std::span<const DKeyedCount> counts, DBars bars);
/// Appends a line for each key: the buckets from the lowest to the highest one with a count in any line, a character
/// each, darker the larger the bucket's share is.
void packed_into(std::string& out, const DAggregate& aggregate, std::span<const DKeyedWords> lines, int64_t normal,
                 DBars bars);

}  // namespace strut
