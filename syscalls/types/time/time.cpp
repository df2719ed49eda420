#include "syscalls/types/time/time.hpp"

#include <charconv>
#include <ctime>

#include <linux/time_types.h>
#include <sys/time.h>
#include <sys/times.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kClockNames[] = {
    {0, "CLOCK_REALTIME"}, {1, "CLOCK_MONOTONIC"}, {2, "CLOCK_PROCESS_CPUTIME_ID"}, {3, "CLOCK_THREAD_CPUTIME_ID"},
    {4, "CLOCK_MONOTONIC_RAW"}, {5, "CLOCK_REALTIME_COARSE"}, {6, "CLOCK_MONOTONIC_COARSE"}, {7, "CLOCK_BOOTTIME"},
    {8, "CLOCK_REALTIME_ALARM"}, {9, "CLOCK_BOOTTIME_ALARM"}, {10, "CLOCK_SGI_CYCLE"}, {11, "CLOCK_TAI"},
};
constexpr Constant kTimerFlagNames[] = {{1, "TIMER_ABSTIME"}};
constexpr Constant kTimerfdFlagNames[] = {
    {1, "TFD_TIMER_ABSTIME"}, {2, "TFD_TIMER_CANCEL_ON_SET"}, {02000000, "TFD_CLOEXEC"}, {04000, "TFD_NONBLOCK"},
};
constexpr Constant kItimerNames[] = {{0, "ITIMER_REAL"}, {1, "ITIMER_VIRTUAL"}, {2, "ITIMER_PROF"}};

constexpr FieldType kTimespecFields[] = {field("tv_sec", kKernelLong), field("tv_nsec", kKernelULong)};
constexpr FieldType kTimevalFields[] = {field("tv_sec", kKernelLong), field("tv_usec", kKernelULong)};
constexpr FieldType kTimespec64Fields[] = {field("tv_sec", kS64), field("tv_nsec", kU64)};
constexpr FieldType kTimeval64Fields[] = {field("tv_sec", kS64), field("tv_usec", kU64)};
constexpr FieldType kTimezoneFields[] = {field("tz_minuteswest", kInt), field("tz_dsttime", kInt)};

constexpr StructLayout kTimespecLayout = {"timespec", kTimespecFields};
constexpr StructLayout kTimevalLayout = {"timeval", kTimevalFields};
constexpr StructLayout kTimespec64Layout = {"__kernel_timespec", kTimespec64Fields};
constexpr StructLayout kTimeval64Layout = {"__kernel_sock_timeval", kTimeval64Fields};
constexpr StructLayout kTimezoneLayout = {"timezone", kTimezoneFields};

constexpr FieldType kItimerspecFields[] = {
    field("it_interval", structure(kTimespecLayout)),
    field("it_value", structure(kTimespecLayout)),
};
constexpr FieldType kItimervalFields[] = {
    field("it_interval", structure(kTimevalLayout)),
    field("it_value", structure(kTimevalLayout)),
};
constexpr FieldType kItimerspec64Fields[] = {
    field("it_interval", structure(kTimespec64Layout)),
    field("it_value", structure(kTimespec64Layout)),
};
constexpr StructLayout kItimerspecLayout = {"itimerspec", kItimerspecFields};
constexpr StructLayout kItimervalLayout = {"itimerval", kItimervalFields};
constexpr StructLayout kItimerspec64Layout = {"__kernel_itimerspec", kItimerspec64Fields};

static_assert(size_of(kTimespecLayout, Abi::X86_64) == sizeof(timespec) && size_of(kTimespecLayout, Abi::I386) == 8);
static_assert(size_of(kTimevalLayout, Abi::X86_64) == sizeof(timeval) && size_of(kTimevalLayout, Abi::X32) == 16);
static_assert(size_of(kTimespec64Layout, Abi::I386) == sizeof(__kernel_timespec));
static_assert(size_of(kItimerspec64Layout, Abi::I386) == sizeof(__kernel_itimerspec));
static_assert(size_of(kItimervalLayout, Abi::X86_64) == sizeof(itimerval));
static_assert(size_of(kTimezoneLayout, Abi::X86_64) == sizeof(struct timezone));

// The compat layer keeps clock_t signed: compat_clock_t is an s32.
constexpr Type kTicks = signed_type(
    shown_by([](Decoder& decoder, uint64_t ticks) { return ticks_value(decoder.arena(), ticks); }, Width::KernelLong));
constexpr FieldType kTmsFields[] = {
    field("tms_utime", kTicks), field("tms_stime", kTicks), field("tms_cutime", kTicks), field("tms_cstime", kTicks),
};
constexpr StructLayout kTmsLayout = {"tms", kTmsFields};
static_assert(size_of(kTmsLayout, Abi::X86_64) == sizeof(tms) && size_of(kTmsLayout, Abi::I386) == 16);

std::string_view written_time(Arena& arena, int64_t seconds, std::string_view fraction) {
  time_t time = seconds;
  tm parts;
  char date[80], zone[16];
  if ((seconds == 0 && fraction.empty()) || !localtime_r(&time, &parts)) return {};
  size_t date_bytes = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  size_t zone_bytes = strftime(zone, sizeof zone, "%z", &parts);
  return joined(arena, {{date, date_bytes}, fraction, {zone, zone_bytes}});
}

/// The time with a fraction of so many digits, empty if `fraction` has more.
std::string_view with_fraction(Arena& arena, int64_t seconds, uint64_t fraction, size_t digits) {
  if (fraction == 0) return written_time(arena, seconds, {});
  char text[16] = ".";
  for (size_t i = digits; i > 0; i--, fraction /= 10) text[i] = static_cast<char>('0' + fraction % 10);
  return fraction == 0 ? written_time(arena, seconds, {text, digits + 1}) : std::string_view{};
}

}  // namespace

constinit const ConstantSet kClockIds = enumeration("CLOCK_???", kClockNames);
constinit const ConstantSet kTimerFlags = flag_set("TIMER_???", kTimerFlagNames);
constinit const ConstantSet kTimerfdFlags = flag_set("TFD_???", kTimerfdFlagNames);
constinit const ConstantSet kItimers = enumeration("ITIMER_???", kItimerNames);

constinit const Type kTimespec = structure(kTimespecLayout);
constinit const Type kTimeval = structure(kTimevalLayout);
constinit const Type kItimerspec = structure(kItimerspecLayout);
constinit const Type kItimerval = structure(kItimervalLayout);
constinit const Type kTimespec64 = structure(kTimespec64Layout);
constinit const Type kTimeval64 = structure(kTimeval64Layout);
constinit const Type kItimerspec64 = structure(kItimerspec64Layout);
constinit const Type kTimezone = structure(kTimezoneLayout);
constinit const Type kTms = structure(kTmsLayout);
constinit const Type kTimeT = dated(kKernelLong, Dated::SecondsTo2106);

std::string_view calendar_time(Arena& arena, int64_t seconds) { return written_time(arena, seconds, {}); }

std::string_view calendar_time(Arena& arena, int64_t seconds, uint64_t nanoseconds) {
  return with_fraction(arena, seconds, nanoseconds, 9);
}

std::string_view calendar_time_us(Arena& arena, int64_t seconds, uint64_t microseconds) {
  return with_fraction(arena, seconds, microseconds, 6);
}

Value ticks_value(Arena& arena, uint64_t ticks) {
  if (ticks == 0) return Decoder::number(0, Show::Unsigned);
  char text[24];
  char* end = std::to_chars(text, text + sizeof text, ticks / 100).ptr;
  char hundredths[] = {'.', static_cast<char>('0' + ticks / 10 % 10), static_cast<char>('0' + ticks % 10)};
  return remarked(arena, ticks, joined(arena, {{text, end}, {hundredths, sizeof hundredths}, " s"}), 8);
}

Value calendar_result(Decoder& decoder) {
  std::string_view text = calendar_time(decoder.arena(), decoder.call().result);
  if (text.empty()) return {};
  return {Text{text, TextKind::Bare, false, false}, {}};
}

// The codes with which the kernel leaves a call that a signal interrupted and that may be restarted: ERESTARTSYS,
// ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK of the kernel's <linux/errno.h>.
bool was_interrupted(Decoder& decoder, Addr) {
  int error = decoder.call().error;
  return (error >= 512 && error <= 514) || error == 516;
}

}  // namespace strut
