// The ASCII tables of quantize(), lquantize(), llquantize().
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dlang/output/aggregate.hpp"

namespace strut {

/// Appends the table, with the newline in front of its head and the empty line behind it. Counts are divided by
/// `normal`.
void histogram_into(std::string& out, const DAggregate& aggregate, std::span<const int64_t> words, int64_t normal);

}  // namespace strut
