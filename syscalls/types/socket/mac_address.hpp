// Hardware addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "syscalls/value.hpp"

namespace strut {

class Decoder;

/// `00:11:22:33:44:55`, without names the bytes as binary text. `bytes` must live in the arena.
Value mac_address(Decoder& decoder, std::string_view bytes);

/// How many bytes addresses of a type of hardware have, ARPHRD_* of <linux/if_arp.h>; nullopt: not known.
std::optional<size_t> hardware_address_bytes(uint16_t type);

}  // namespace strut
