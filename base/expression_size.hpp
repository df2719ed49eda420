// How large a regular expression becomes when it is compiled.
#pragma once

#include <cstdint>
#include <string_view>

namespace strut {

/// The C library copies a repeated atom: a++++ is 16 times a, and twenty of them exhaust the memory
/// (regcomp(3), measured with glibc 2.36). Atoms after all repetitions are multiplied, capped at UINT32_MAX.
/// `extended`: as REG_EXTENDED. Does not check the expression.
uint32_t expression_size(std::string_view text, bool extended);

/// Larger expressions are refused. Typical ones have some dozens of atoms.
constexpr uint32_t kLargestExpression = 65536;

}  // namespace strut
