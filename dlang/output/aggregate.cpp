#include "dlang/output/aggregate.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/result.hpp"

namespace strut {
namespace {

using Function = DAggregate::Function;
using Wide = unsigned __int128;

int64_t added(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t multiplied(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// The lowest value of a magnitude and the width of its steps (Llquantize).
struct Magnitude {
  int64_t low = 0;
  int64_t width = 1;
  int64_t buckets = 0;
};

Magnitude magnitude(const DAggregate& a, int which) {
  Magnitude m{.low = 1};
  for (int i = 0; i < which; i++) m.low = multiplied(m.low, a.factor);
  int64_t range = multiplied(m.low, a.factor) - m.low;
  m.width = std::max<int64_t>(1, multiplied(m.low, a.factor) / a.step);
  m.buckets = (range + m.width - 1) / m.width;
  return m;
}

size_t linear_steps(const DAggregate& a) {
  return static_cast<size_t>((static_cast<int64_t>(a.high) - a.low) / a.step);
}

size_t log_buckets(const DAggregate& a) {
  int64_t buckets = 0;
  for (int i = a.low; i <= a.high && buckets < (1 << 20); i++) buckets += magnitude(a, i).buckets;
  return static_cast<size_t>(buckets);
}

/// The place of a value's amount: 0 below the lowest magnitude, then the buckets, then the one above all.
size_t log_bucket_of(const DAggregate& a, int64_t value) {
  size_t before = 1;
  for (int i = a.low; i <= a.high; i++) {
    Magnitude m = magnitude(a, i);
    if (value < m.low) return before == 1 ? 0 : before - 1;
    if (value - m.low < m.buckets * m.width && value < multiplied(m.low, a.factor))
      return before + static_cast<size_t>((value - m.low) / m.width);
    before += static_cast<size_t>(m.buckets);
  }
  return before;
}

Wide squares_of(std::span<const int64_t> words) {
  return static_cast<Wide>(static_cast<uint64_t>(words[3])) << 64 | static_cast<uint64_t>(words[2]);
}

void add_squares(std::span<int64_t> words, Wide squares) {
  squares += squares_of(words);
  words[2] = static_cast<int64_t>(static_cast<uint64_t>(squares));
  words[3] = static_cast<int64_t>(static_cast<uint64_t>(squares >> 64));
}

Wide square_of(int64_t value) {
  uint64_t positive = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return static_cast<Wide>(positive) * positive;
}

void take_extreme(std::span<int64_t> words, int64_t value, bool least) {
  bool better = words[0] == 0 || (least ? value < words[1] : value > words[1]);
  if (better) words[1] = value;
  words[0] = 1;
}

void add_to(int64_t& word, int64_t weight) { word = added(word, weight); }

uint64_t square_root(Wide value) {
  Wide root = 0;
  for (Wide bit = static_cast<Wide>(1) << 126; bit != 0; bit >>= 2) {
    if (value >= root + bit) {
      value -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return static_cast<uint64_t>(root);
}

/// The root of the mean square minus the square of the mean, as the Guide defines stddev().
int64_t deviation(std::span<const int64_t> words, int64_t normal) {
  if (words[0] <= 0) return 0;
  auto count = static_cast<Wide>(static_cast<uint64_t>(words[0]));
  auto divisor = static_cast<__int128>(normal) * normal;
  Wide mean_square = squares_of(words) / count / static_cast<Wide>(divisor);
  __int128 mean = static_cast<__int128>(words[1]) / words[0] / normal;
  auto square = static_cast<Wide>(mean * mean);
  if (mean_square <= square) return 0;
  return static_cast<int64_t>(std::min<uint64_t>(square_root(mean_square - square), INT64_MAX));
}

/// The sort key of a distribution.
int64_t weight_of(const DAggregate& a, std::span<const int64_t> words) {
  long double sum = 0;
  for (size_t i = 0; i < words.size(); i++) {
    if (words[i] == 0) continue;
    int64_t value = a.function == Function::Quantize              ? value_of_power_bucket(static_cast<int>(i))
                    : a.function == Function::Lquantize && i == 0 ? value_of_bucket(a, 1) - 1
                                                                  : value_of_bucket(a, i);
    sum += static_cast<long double>(value) * static_cast<long double>(words[i]);
  }
  return static_cast<int64_t>(std::clamp(sum, -9.2e18L, 9.2e18L));
}

}  // namespace

int64_t normalized(int64_t value, int64_t by) { return by == -1 ? added(~value, 1) : value / by; }

std::string_view name_of(Function function) {
  static constexpr std::string_view kNames[] = {"count",  "sum",      "avg",       "min",       "max",
                                                "stddev", "quantize", "lquantize", "llquantize"};
  return kNames[static_cast<size_t>(function)];
}

size_t words_of(const DAggregate& aggregate) {
  switch (aggregate.function) {
    case Function::Count:
    case Function::Sum: return 1;
    case Function::Avg:
    case Function::Min:
    case Function::Max: return 2;
    case Function::Stddev: return 4;
    case Function::Quantize: return kDPowerBuckets;
    case Function::Lquantize: return 2 + linear_steps(aggregate);
    case Function::Llquantize: return 2 * log_buckets(aggregate) + 3;
  }
  return 0;
}

void take(const DAggregate& aggregate, std::span<int64_t> words, int64_t value, int64_t weight) {
  switch (aggregate.function) {
    case Function::Count: words[0] = added(words[0], 1); return;
    case Function::Sum: words[0] = added(words[0], value); return;
    case Function::Avg:
      words[0]++;
      words[1] = added(words[1], value);
      return;
    case Function::Min:
    case Function::Max: return take_extreme(words, value, aggregate.function == Function::Min);
    case Function::Stddev:
      words[0]++;
      words[1] = added(words[1], value);
      return add_squares(words, square_of(value));
    case Function::Quantize: return add_to(words[static_cast<size_t>(bucket_of_power(value))], weight);
    case Function::Lquantize:
    case Function::Llquantize: return add_to(words[bucket_of(aggregate, value)], weight);
  }
}

void merge(const DAggregate& aggregate, std::span<int64_t> to, std::span<const int64_t> from) {
  CHECK_THAT(to.size() == from.size());
  switch (aggregate.function) {
    case Function::Min:
    case Function::Max:
      if (from[0] != 0) take(aggregate, to, from[1], 1);
      return;
    case Function::Stddev:
      to[0] = added(to[0], from[0]);
      to[1] = added(to[1], from[1]);
      add_squares(to, squares_of(from));
      return;
    default:
      for (size_t i = 0; i < to.size(); i++) to[i] = added(to[i], from[i]);
  }
}

int64_t number_of(const DAggregate& aggregate, std::span<const int64_t> words, int64_t normal) {
  switch (aggregate.function) {
    case Function::Count:
    case Function::Sum: return normalized(words[0], normal);
    case Function::Avg: return words[0] == 0 ? 0 : normalized(normalized(words[1], normal), words[0]);
    case Function::Min:
    case Function::Max: return normalized(words[1], normal);
    case Function::Stddev: return deviation(words, normal);
    default: return weight_of(aggregate, words);
  }
}

size_t middle_bucket(const DAggregate& aggregate) { return words_of(aggregate) / 2; }

int64_t lowest_amount(const DAggregate& aggregate) { return magnitude(aggregate, aggregate.low).low; }

int bucket_of_power(int64_t value) {
  auto width_of = [](uint64_t bits) { return 64 - std::countl_zero(bits); };
  if (value >= 0) return kDZeroBucket + width_of(static_cast<uint64_t>(value));
  return kDZeroBucket - std::min(width_of(-static_cast<uint64_t>(value)), kDZeroBucket);
}

int64_t value_of_power_bucket(int bucket) {
  if (bucket == kDZeroBucket) return 0;
  if (bucket > kDZeroBucket) return int64_t{1} << (bucket - kDZeroBucket - 1);
  return -(int64_t{1} << (kDZeroBucket - bucket - 1));
}

size_t bucket_of(const DAggregate& aggregate, int64_t value) {
  if (aggregate.function == Function::Llquantize) {
    size_t middle = middle_bucket(aggregate);
    if (value >= 0) return middle + log_bucket_of(aggregate, value);
    return middle - log_bucket_of(aggregate, value == INT64_MIN ? INT64_MAX : -value);
  }
  if (value < aggregate.low) return 0;
  auto step = (static_cast<uint64_t>(value) - static_cast<uint64_t>(static_cast<int64_t>(aggregate.low))) /
              static_cast<uint64_t>(aggregate.step);
  return std::min<uint64_t>(step, linear_steps(aggregate)) + 1;
}

int64_t value_of_bucket(const DAggregate& aggregate, size_t bucket) {
  if (aggregate.function == Function::Lquantize)
    return aggregate.low + static_cast<int64_t>(bucket - 1) * aggregate.step;
  size_t middle = middle_bucket(aggregate);
  if (bucket == middle) return 0;
  if (bucket < middle) return -value_of_bucket(aggregate, 2 * middle - bucket);
  bucket -= middle;
  size_t before = 1;
  for (int i = aggregate.low; i <= aggregate.high; i++) {
    Magnitude m = magnitude(aggregate, i);
    auto buckets = static_cast<size_t>(m.buckets);
    if (bucket < before + buckets) return m.low + static_cast<int64_t>(bucket - before) * m.width;
    before += buckets;
  }
  return multiplied(magnitude(aggregate, aggregate.high).low, aggregate.factor);
}

}  // namespace strut
