#include "formatters/common/float_text.hpp"

#include <bit>
#include <charconv>
#include <cstdio>

namespace strut {

namespace {

constexpr size_t kLongest = 400;  // "%f" of DBL_MAX has 309 digits, a sign, a point and six more

}  // namespace

double float_of(const Number& number) {
  if (number.bytes == sizeof(float)) return std::bit_cast<float>(static_cast<uint32_t>(number.bits));
  return std::bit_cast<double>(number.bits);
}

void put_float(TextBuffer& out, const Number& number, const char* format) {
  out.fill(kLongest, [&](char* to) { return to + std::snprintf(to, kLongest, format, float_of(number)); });
}

void put_shortest_float(TextBuffer& out, const Number& number) {
  out.fill(kLongest, [&](char* to) {
    if (number.bytes == sizeof(float))
      return std::to_chars(to, to + kLongest, static_cast<float>(float_of(number))).ptr;
    return std::to_chars(to, to + kLongest, float_of(number)).ptr;
  });
}

}  // namespace strut
