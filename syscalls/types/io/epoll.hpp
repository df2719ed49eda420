// epoll(7) and eventfd(2).
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

extern const ConstantSet kEpollCreateFlags;
extern const ConstantSet kEpollOperations;
extern const ConstantSet kEventfdFlags;
extern const Type kEpollEvent;
/// A pointer to an event, not followed where argument 1 is EPOLL_CTL_DEL.
Value decode_epoll_ctl_event(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kEpollCtlEvent =
    notation::reading(notation::custom(decode_epoll_ctl_event), kReadsOne<kEpollEvent>);

}  // namespace strut
