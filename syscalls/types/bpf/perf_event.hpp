// perf_event_open(2): flags and struct perf_event_attr of <linux/perf_event.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kPerfFlags;

/// struct perf_event_attr of as many bytes as itself says.
Value decode_perf_attr(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kPerfAttr = notation::custom(decode_perf_attr, 64);

}  // namespace strut
