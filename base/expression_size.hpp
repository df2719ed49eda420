// How large a regular expression becomes when it is compiled.
#pragma once

#include <cstdint>
#include <string_view>

namespace strut {

/// The C library copies what is repeated: a++++ is 16 times a, and who writes twenty of them gets no memory
/// (regcomp(3), measured with glibc 2.36). Atoms after all repetitions are multiplied, capped at UINT32_MAX.
/// `extended`: as REG_EXTENDED. Says nothing about whether the expression is right.
uint32_t expression_size(std::string_view text, bool extended);

/// What is refused above it. What people write has some dozens.
constexpr uint32_t kLargestExpression = 65536;

}  // namespace strut
