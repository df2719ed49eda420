// Messages of NETLINK_KOBJECT_UEVENT sockets: text, and those that udev(7) sends to its listeners.
#pragma once

#include "syscalls/decoder.hpp"

namespace strut {

/// A buffer of such a socket: bytes that begin as udev's do are a header and the rest, others are text.
Value decode_uevent(Decoder& decoder, Addr at, uint64_t bytes);

}  // namespace strut
