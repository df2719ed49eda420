// UUIDs: 16 bytes that are shown as 01020304-0506-0708-090a-0b0c0d0e0f10 in every style.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

Value decode_uuid(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kUuid = notation::custom(decode_uuid, 16, Width::B1);

}  // namespace strut
