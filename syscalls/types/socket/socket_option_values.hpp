// Values of socket options that are more than a number or a structure.
#pragma once

#include <cstdint>

#include "syscalls/value.hpp"

namespace strut {

class Decoder;

/// An option of unknown type: four bytes are an int, others a string.
Value decode_option_by_size(Decoder& decoder, Addr at, int64_t bytes);

/// ICMP_FILTER of raw(7): the set of ICMP types that are not delivered.
Value decode_icmp_filter(Decoder& decoder, Addr at, int64_t bytes);

}  // namespace strut
