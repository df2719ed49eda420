#include "dlang/output/histogram_text.hpp"

#include <algorithm>

#include "dlang/output/format_text.hpp"

namespace strut {
namespace {

constexpr int kBarWidth = 40;

/// The scale of a distribution's bars.
struct Scale {
  long double total = 0;  ///< the sum of the counts' amounts
  bool positive = false;
  bool negative = false;
};

Scale scale_of(std::span<const int64_t> words) {
  Scale scale;
  for (int64_t count : words) {
    scale.total += count < 0 ? -static_cast<long double>(count) : static_cast<long double>(count);
    scale.positive |= count > 0;
    scale.negative |= count < 0;
  }
  return scale;
}

/// The rows that are shown: those with counts and an empty one on either side. Without any, three around the middle.
struct Rows {
  size_t first, last;
};

Rows rows_of(const DAggregate& aggregate, std::span<const int64_t> words) {
  auto counts = [](int64_t count) { return count != 0; };
  auto first = std::find_if(words.begin(), words.end(), counts);
  if (first == words.end()) {
    size_t middle = aggregate.function == DAggregate::Function::Quantize     ? kDZeroBucket
                    : aggregate.function == DAggregate::Function::Llquantize ? middle_bucket(aggregate)
                                                                             : 1;
    return {middle - 1, std::min(middle + 1, words.size() - 1)};
  }
  auto last = std::find_if(words.rbegin(), words.rend(), counts);
  auto low = static_cast<size_t>(first - words.begin()),
       high = words.size() - 1 - static_cast<size_t>(last - words.rbegin());
  return {low == 0 ? 0 : low - 1, std::min(high + 1, words.size() - 1)};
}

std::string label_of(const DAggregate& aggregate, size_t bucket, size_t buckets) {
  if (aggregate.function == DAggregate::Function::Quantize)
    return std::to_string(value_of_power_bucket(static_cast<int>(bucket)));
  if (aggregate.function == DAggregate::Function::Llquantize) {
    if (bucket == middle_bucket(aggregate)) return "abs() < " + std::to_string(lowest_amount(aggregate));
    if (bucket == 0) return "<= " + std::to_string(value_of_bucket(aggregate, bucket));
  } else if (bucket == 0) {
    return "< " + std::to_string(value_of_bucket(aggregate, 1));
  }
  if (bucket == buckets - 1) return ">= " + std::to_string(value_of_bucket(aggregate, bucket));
  return std::to_string(value_of_bucket(aggregate, bucket));
}

size_t bar_length(int64_t count, const Scale& scale, int width) {
  if (scale.total == 0) return 0;
  long double size = count < 0 ? -static_cast<long double>(count) : static_cast<long double>(count);
  return static_cast<size_t>(size * width / scale.total + 0.5L);
}

/// "|@@@    " or, where counts have both signs, "    @@|@@@  ".
void bar_into(std::string& out, int64_t count, const Scale& scale) {
  if (!scale.negative) {
    out += '|';
    return padded_into(out, std::string(bar_length(count, scale, kBarWidth), '@'), kBarWidth, true);
  }
  if (!scale.positive) {
    padded_into(out, std::string(bar_length(count, scale, kBarWidth), '@'), kBarWidth, false);
    out += '|';
    return;
  }
  std::string bar(bar_length(count, scale, kBarWidth / 2), '@');
  padded_into(out, count < 0 ? bar : "", kBarWidth / 2, false);
  out += '|';
  padded_into(out, count < 0 ? "" : bar, kBarWidth / 2, true);
}

}  // namespace

void histogram_into(std::string& out, const DAggregate& aggregate, std::span<const int64_t> words, int64_t normal) {
  out += "\n           value  ------------- Distribution ------------- count    \n";
  Scale scale = scale_of(words);
  Rows rows = rows_of(aggregate, words);
  for (size_t i = rows.first; i <= rows.last; i++) {
    padded_into(out, label_of(aggregate, i, words.size()), 16, false);
    out += ' ';
    bar_into(out, words[i], scale);
    out += ' ';
    padded_into(out, std::to_string(normalized(words[i], normal)), 9, true);
    out += '\n';
  }
  out += '\n';
}

}  // namespace strut
