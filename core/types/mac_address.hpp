// Hardware addresses.
#pragma once

#include <string_view>

#include "core/value.hpp"

namespace strut {

class Decoder;

/// `00:11:22:33:44:55`, without names the bytes as binary text. `bytes` must live in the arena.
Value mac_address(Decoder& decoder, std::string_view bytes);

}  // namespace strut
