// struct timex: adjtimex(2), clock_adjtime(2).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const Type kTimex;
extern const Type kTimex64;  ///< 64 bits in every ABI: clock_adjtime64
/// Behind the result: the state of the clock, TIME_OK …
Value clock_state(Decoder& decoder);

}  // namespace strut
