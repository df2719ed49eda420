// Floating-point numbers that a target passes.
#pragma once

#include <cstdint>
#include <string_view>

#include "formatters/common/text_buffer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// The number with these bits: four bytes are a float, else a double.
double float_of(const Number& number);

/// As printf(3) writes it with `format`, which takes one double: "%f", "%a", "%g".
void put_float(TextBuffer& out, const Number& number, const char* format);

/// The shortest decimal digits that mean the same number.
void put_shortest_float(TextBuffer& out, const Number& number);

}  // namespace strut
