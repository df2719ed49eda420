// epoll(7) and eventfd(2).
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kEpollCreateFlags;
extern const ConstantSet kEpollOperations;
extern const ConstantSet kEventfdFlags;
extern const Type kEpollEvent;
/// A pointer to an event, not followed where argument 1 is EPOLL_CTL_DEL.
inline constexpr Type kEpollEventPointer = notation::pointer_to(kEpollEvent);
inline constexpr Type kEpollCtlEvent = notation::kEither<int_arg_is<1, 2>, notation::kAddress, kEpollEventPointer>;

}  // namespace strut
