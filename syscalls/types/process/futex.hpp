// futex(2) by operation, and the futex2 calls: flags, struct futex_waitv.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The operation word: a command with FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME.
extern const ConstantSet kFutexOps;
/// Arguments from the third on, by command; the *_time64 table has 64-bit times in every ABI.
extern const CommandTable kFutexCommands;
extern const CommandTable kFutexTime64Commands;

/// Masks of waiters: all ones have a name.
extern const ConstantSet kFutexBitsets;
extern const ConstantSet kFutex2Flags;
extern const Type kFutexWaitv;

}  // namespace strut
