// Times and clocks: structures of <linux/time.h> and <linux/time_types.h>, clock ids, flags of clock calls.
#pragma once

#include <string_view>

#include "base/arena.hpp"
#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

class Decoder;

extern const ConstantSet kClockIds;
extern const ConstantSet kTimerFlags;  ///< TIMER_ABSTIME
extern const ConstantSet kTimerfdFlags;
extern const ConstantSet kItimers;

// Each with the widths of the ABI's native call (i386: 32-bit times) …
extern const Type kTimespec;
extern const Type kTimeval;
extern const Type kItimerspec;
extern const Type kItimerval;
// … and with 64 bits in every ABI (the *_time64 and newer calls).
extern const Type kTimespec64;
extern const Type kTimeval64;  ///< struct __kernel_sock_timeval
extern const Type kItimerspec64;

extern const Type kTimezone;
extern const Type kTms;  ///< for times(2): clock ticks

/// Seconds since the epoch as local time in ISO 8601, "1970-01-01T00:00:04+0000"; empty for the epoch itself, which is
/// no time at all to most calls, and where there is no calendar date.
std::string_view calendar_time(Arena& arena, int64_t seconds);
/// With a fraction of nine digits: "1970-01-01T00:00:04.000000001+0000". Empty also if `nanoseconds` is no fraction.
std::string_view calendar_time(Arena& arena, int64_t seconds, uint64_t nanoseconds);
/// With a fraction of six digits.
std::string_view calendar_time_us(Arena& arena, int64_t seconds, uint64_t microseconds);

/// Clock ticks of 1/100 s, with the seconds as a remark: `5 /* 0.05 s `.
Value ticks_value(Arena& arena, uint64_t ticks);

/// A time_t in memory (time(2), stime(2)), with its calendar time as comment.
extern const Type kTimeT;
/// Behind the result: the calendar time it is (time(2)).
Value calendar_result(Decoder& decoder);

/// The time left of an interrupted sleep: a pointer to a timespec that is followed when a signal interrupted the call.
bool was_interrupted(Decoder& decoder, Addr);
inline constexpr Type kTimespecPointer = notation::pointer_to(kTimespec);
inline constexpr Type kTimespec64Pointer = notation::pointer_to(kTimespec64);
inline constexpr Type kTimeLeft = notation::kEither<was_interrupted, kTimespecPointer, notation::kAddress>;
/// For clock_nanosleep(2); its argument 1 may make it sleep until a time: then no time remains.
inline constexpr FieldCondition kSleptInterval = both<was_interrupted, arg_is<1, 0>>;
inline constexpr Type kClockTimeLeft = notation::kEither<kSleptInterval, kTimespecPointer, notation::kAddress>;
inline constexpr Type kClockTimeLeft64 = notation::kEither<kSleptInterval, kTimespec64Pointer, notation::kAddress>;

}  // namespace strut
