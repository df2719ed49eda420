// struct sigevent of sigevent(3type): timer_create(2), mq_notify(3).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

Value decode_sigevent(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSigevent = notation::custom(decode_sigevent, 64);

}  // namespace strut
