// Reserved members, which are shown only if something is in them (not_zero).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// Reserved words.
template <uint32_t kCount>
inline constexpr Type kReserved = notation::array_of(notation::kHex32, kCount);

}  // namespace strut
