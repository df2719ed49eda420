#include "dlang/output/histogram_text.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "dlang/output/format_text.hpp"

namespace strut {
namespace {

constexpr int kBarWidth = 40;

/// The scale of a distribution's bars.
struct Scale {
  long double total = 0;  ///< the amount with the longest bar
  bool positive = false;
  bool negative = false;
};

Scale scale_of(std::span<const int64_t> words, DBars bars) {
  Scale scale;
  for (int64_t count : words) {
    long double amount = count < 0 ? -static_cast<long double>(count) : static_cast<long double>(count);
    scale.total = bars == DBars::OfLargest ? std::max(scale.total, amount) : scale.total + amount;
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

void histogram_into(std::string& out, const DAggregate& aggregate, std::span<const int64_t> words, int64_t normal,
                    DBars bars) {
  out += "\n           value  ------------- Distribution ------------- count    \n";
  Scale scale = scale_of(words, bars);
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

namespace {

constexpr size_t kLeastKeyWidth = 16;

template <typename Line>
int key_width(std::span<const Line> lines) {
  size_t width = kLeastKeyWidth;
  for (const Line& line : lines) width = std::max(width, line.key.size());
  return static_cast<int>(width);
}

/// A share of the whole, from nothing to all of it.
char shade_of(int64_t count, const Scale& scale) {
  constexpr std::string_view kShades = " .:-=+*%#@";
  if (count == 0 || scale.total == 0) return kShades[0];
  auto amount = count < 0 ? -static_cast<long double>(count) : static_cast<long double>(count);
  auto step = static_cast<size_t>(amount / scale.total * static_cast<long double>(kShades.size() - 1));
  return kShades[std::clamp<size_t>(step, 1, kShades.size() - 1)];
}

}  // namespace

void bars_into(std::string& out, std::span<const DKeyedCount> counts, DBars bars) {
  int width = key_width(counts);
  out += '\n';
  padded_into(out, "key", width, false);
  out += "  ------------- Distribution ------------- count    \n";
  std::vector<int64_t> all;
  for (const DKeyedCount& one : counts) all.push_back(one.count);
  Scale scale = scale_of(all, bars);
  for (const DKeyedCount& one : counts) {
    padded_into(out, one.key, width, false);
    out += ' ';
    bar_into(out, one.count, scale);
    out += ' ';
    padded_into(out, std::to_string(one.count), 9, true);
    out += '\n';
  }
}

void packed_into(std::string& out, const DAggregate& aggregate, std::span<const DKeyedWords> lines, int64_t normal,
                 DBars bars) {
  std::vector<int64_t> sums(words_of(aggregate));
  for (const DKeyedWords& line : lines)
    for (size_t i = 0; i < line.words.size(); i++) sums[i] += line.words[i] != 0;
  Rows rows = rows_of(aggregate, sums);
  size_t buckets = rows.last - rows.first + 1;
  int width = key_width(lines);
  std::string low = label_of(aggregate, rows.first, sums.size()), high = label_of(aggregate, rows.last, sums.size());
  out += '\n';
  padded_into(out, "key", width, false);
  out += ' ' + low + " ." + std::string(buckets, '-') + ". " + high + " | count\n";
  for (const DKeyedWords& line : lines) {
    Scale scale = scale_of(line.words, bars);
    int64_t sum = 0;
    padded_into(out, line.key, width, false);
    out += std::string(low.size() + 1, ' ') + " :";
    for (size_t i = rows.first; i <= rows.last; i++) out += shade_of(line.words[i], scale);
    for (int64_t count : line.words) sum += count;
    out += ": " + std::string(high.size(), ' ') + " | " + std::to_string(normalized(sum, normal)) + '\n';
  }
}

}  // namespace strut
