// UUIDs: 16 bytes that are shown as 01020304-0506-0708-090a-0b0c0d0e0f10 in every style.
#pragma once

#include "syscalls/types/common/shown_bytes.hpp"

namespace strut {

Value show_uuid(Decoder& decoder, std::string_view bytes);
inline constexpr Type kUuid = kBytesShownBy<show_uuid, 16>;

}  // namespace strut
