// The names of a flag word as text, for where names are shown whatever the style.
#pragma once

#include "syscalls/decoder.hpp"

namespace strut {

/// The names joined by '|' as -X abbrev shows them, unknown bits in hexadecimal behind them.
Value flag_names(Decoder& decoder, const ConstantSet& set, uint64_t bits);

}  // namespace strut
