// The aggregating functions: how values are accumulated in a few words, and how these are read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace strut {

/// One aggregating function with its constants (DTrace Guide, "Aggregations").
struct DAggregate {
  enum class Function : uint8_t { Count, Sum, Avg, Min, Max, Stddev, Quantize, Lquantize, Llquantize };
  Function function = Function::Count;
  /// Lquantize: base, limit (exclusive), step. Llquantize: factor, low magnitude, high magnitude, steps per magnitude.
  int32_t low = 0;
  int32_t high = 0;
  int32_t step = 1;
  int32_t factor = 0;

  bool operator==(const DAggregate&) const = default;
  bool is_distribution() const { return function >= Function::Quantize; }
};

std::string_view name_of(DAggregate::Function function);

/// How many 64-bit words an element has. The words, all 0 at first:
///   Count                1: how often
///   Sum                  1: the sum, wrapping
///   Avg                  2: how often, the sum
///   Min, Max             2: how often (0: no value yet), the value
///   Stddev               4: how often, the sum, low and high half of the sum of squares
///   Quantize             127: the buckets of bucket_of_power()
///   Lquantize            2 + steps: below base, one per step, limit and above
///   Llquantize           3 + 2 buckets: in the middle amounts below all magnitudes; behind it one per step of every
///                        magnitude, then above; before it the same of negative values
/// Words of two elements add up (Min and Max: compare) to those of both together, so counts per CPU can be merged.
size_t words_of(const DAggregate& aggregate);

/// Lets an element take `value`, `weight` times. `words` has words_of() of them.
void take(const DAggregate& aggregate, std::span<int64_t> words, int64_t value, int64_t weight);

/// Adds the words of `from` to those of `to`.
void merge(const DAggregate& aggregate, std::span<int64_t> to, std::span<const int64_t> from);

/// The number of an element that is no distribution, divided by `normal` (normalize()); for a distribution its sort
/// key: the sum of its buckets' values.
int64_t number_of(const DAggregate& aggregate, std::span<const int64_t> words, int64_t normal = 1);

/// value / by; the lowest value / -1 is itself. `by` is not 0.
int64_t normalized(int64_t value, int64_t by);

constexpr int kDZeroBucket = 63;
constexpr int kDPowerBuckets = 127;
/// Quantize: bucket kDZeroBucket holds 0, the n-th above 2^(n-1) and up, the n-th below -2^(n-1) and down.
int bucket_of_power(int64_t value);
/// The value that stands before a bucket of Quantize.
int64_t value_of_power_bucket(int bucket);

/// Which word of Lquantize or Llquantize a value belongs to.
size_t bucket_of(const DAggregate& aggregate, int64_t value);
/// The lowest value of word `bucket`, 1 and up: of the last, the first value that is beyond. Of Llquantize: the value
/// nearest to 0, and 0 in the middle.
int64_t value_of_bucket(const DAggregate& aggregate, size_t bucket);

/// Llquantize: the word of small amounts, and the lowest amount that is not small.
size_t middle_bucket(const DAggregate& aggregate);
int64_t lowest_amount(const DAggregate& aggregate);

}  // namespace strut
