// Ancillary data of socket messages: cmsg(3), and its contents by unix(7), socket(7) and ip(7).
#pragma once

#include <cstdint>

#include "syscalls/value.hpp"

namespace strut {

class Decoder;

/// The control messages in `bytes` bytes at an address.
Value decode_control_messages(Decoder& decoder, Addr at, uint64_t bytes);

}  // namespace strut
