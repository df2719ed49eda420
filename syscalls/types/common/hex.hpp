// Numbers of one and two bytes in hexadecimal, as kHex32 of the notation.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

inline constexpr Type kHex8 = notation::number(Width::B1, Show::Hex);
inline constexpr Type kHex16 = notation::number(Width::B2, Show::Hex);

}  // namespace strut
