// si_code: the names of why a signal was sent.
#pragma once

#include <cstdint>

#include "syscalls/constants.hpp"

namespace strut {

/// The names that si_code has for this signal: SI_* for codes up to 0, else the signal's own (and SI_KERNEL).
const ConstantSet& siginfo_codes(int32_t signo, int32_t code);

}  // namespace strut
