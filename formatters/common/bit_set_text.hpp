// Sets of bits by number: <3-5,7>, or the complement where most are set: ~<0>.
#pragma once

#include <cstdint>
#include <string_view>

#include "formatters/common/text_buffer.hpp"

namespace strut {

/// Bit 0 is the lowest of the first byte (ltrace.conf(5), "bitvec").
void put_bit_set(TextBuffer& out, std::string_view bytes);
/// The lowest `bytes` bytes of a number.
void put_bit_set(TextBuffer& out, uint64_t bits, uint8_t bytes);

}  // namespace strut
