// An int that a function read: its 32 bits are a signed number's.
#pragma once

#include <cstdint>

#include "syscalls/decoder.hpp"

namespace strut {

inline Value signed_number(int32_t number) {
  return Decoder::number(static_cast<uint64_t>(int64_t{number}), Show::Signed, 4);
}

}  // namespace strut
