// struct termios and its kin: the settings of a terminal. <asm-generic/termbits.h>, <asm-generic/termios.h>.
#pragma once

#include "syscalls/type.hpp"

namespace strut {

extern const Type kTermios;   ///< TCGETS
extern const Type kTermios2;  ///< TCGETS2: with speeds as numbers
extern const Type kTermio;    ///< TCGETA: of 16-bit words

}  // namespace strut
