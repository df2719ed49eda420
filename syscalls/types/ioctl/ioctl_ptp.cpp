#include "syscalls/types/ioctl/ioctl_ptp.hpp"

#include <linux/ptp_clock.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/reserved.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kPulseNames[] = {
    {0x1, "PTP_ENABLE_FEATURE"}, {0x2, "PTP_RISING_EDGE"}, {0x4, "PTP_FALLING_EDGE"},
    {0x8, "PTP_STRICT_FLAGS"},   {0x10, "PTP_EXT_OFFSET"},
};
constexpr Constant kPeriodNames[] = {
    {0x1, "PTP_PEROUT_ONE_SHOT"}, {0x2, "PTP_PEROUT_DUTY_CYCLE"}, {0x4, "PTP_PEROUT_PHASE"}};
constexpr Constant kPinNames[] = {
    {0, "PTP_PF_NONE"}, {1, "PTP_PF_EXTTS"}, {2, "PTP_PF_PEROUT"}, {3, "PTP_PF_PHYSYNC"}};
constinit const ConstantSet kPulses = flag_set("PTP_???", kPulseNames);
constinit const ConstantSet kPeriods = flag_set("PTP_PEROUT_???", kPeriodNames);
constinit const ConstantSet kPins = enumeration("PTP_PF_???", kPinNames);

// -- times ----------------------------------------------------------------------------------------------------
constexpr FieldType kPtpTimeFields[] = {field("sec", kS64), field("nsec", kUInt),
                                     field("reserved", kHex32, not_zero<12, 4>)};
constexpr StructLayout kPtpTimeLayout = {"ptp_clock_time", kPtpTimeFields};
constexpr Type kSpan = structure(kPtpTimeLayout);
static_assert(size_of(kPtpTimeLayout, Abi::X86_64) == sizeof(ptp_clock_time));

/// A time of the calendar, with a remark that says which.
constexpr Type kMoment = dated(kSpan, Dated::Nanoseconds);
constexpr Type kMoments = array_of(kMoment, 3);

// -- what a clock can do, and its channels ----------------------------------------------------------------------
// Since Linux 6.6 one of the reserved words is max_phase_adj.
constexpr FieldType kCapabilityFields[] = {
    field("max_adj", kInt),      field("n_alarm", kInt),       field("n_ext_ts", kInt),
    field("n_per_out", kInt),    field("pps", kInt),           field("n_pins", kInt),
    field("cross_timestamping", kInt), field("adjust_phase", kInt), field("max_phase_adj", kInt),
    field("rsv", kReserved<11>, not_zero<36, 44>),
};
constexpr StructLayout kPtpCapabilities = {"ptp_clock_caps", kCapabilityFields};
static_assert(size_of(kPtpCapabilities, Abi::X86_64) == sizeof(ptp_clock_caps));

constexpr FieldType kPulseFields2[] = {
    field("index", kUInt), field("flags", kWord<kPulses>), field("rsv", kReserved<2>, not_zero<8, 8>)};
constexpr StructLayout kPulse2 = {"ptp_extts_request", kPulseFields2};
// The first command's reserved words are not shown.
constexpr FieldType kPulseFields[] = {kPulseFields2[0], kPulseFields2[1], padding_bytes(8)};
constexpr StructLayout kPulse = {"ptp_extts_request", kPulseFields};
static_assert(size_of(kPulse2, Abi::X86_64) == sizeof(ptp_extts_request));

template <uint32_t kFlag>
bool has_flag(Decoder& decoder, Addr request) {
  return (decoder.read_number(request + offsetof(ptp_perout_request, flags), Width::B4).value_or(0) & kFlag) != 0;
}
template <uint32_t kFlag>
bool lacks_flag(Decoder& decoder, Addr request) {
  return !has_flag<kFlag>(decoder, request);
}
bool has_reserved(Decoder& decoder, Addr request) {
  return lacks_flag<PTP_PEROUT_DUTY_CYCLE>(decoder, request) && not_zero<40, 16>(decoder, request);
}
constexpr FieldType kPeriodFields2[] = {
    field("start", kMoment, lacks_flag<PTP_PEROUT_PHASE>),
    overlapping(field("phase", kSpan, has_flag<PTP_PEROUT_PHASE>)),
    field("period", kSpan),
    field("index", kUInt),
    field("flags", kWord<kPeriods>),
    field("on", kSpan, has_flag<PTP_PEROUT_DUTY_CYCLE>),
    overlapping(field("rsv", kReserved<4>, has_reserved)),
};
constexpr StructLayout kPeriod2 = {"ptp_perout_request", kPeriodFields2};
constexpr StructLayout kPeriod = {"ptp_perout_request", std::span(kPeriodFields2).first(6)};
static_assert(size_of(kPeriod2, Abi::X86_64) == sizeof(ptp_perout_request) &&
              size_of(kPeriod, Abi::X86_64) == sizeof(ptp_perout_request));

constexpr FieldType kAskedPinFields2[] = {
    at(64, field("index", kUInt)),
    at(76, field("rsv", kReserved<5>, not_zero<76, 20>)),
    at(0, answer(field("name", char_array(64)))),
    at(68, answer(field("func", kWord<kPins>))),
    at(72, answer(field("chan", kUInt))),
};
constexpr FieldType kAskedPinFields[] = {kAskedPinFields2[0], kAskedPinFields2[2], kAskedPinFields2[3],
                                         kAskedPinFields2[4], at(76, padding_bytes(20))};
constexpr FieldType kSetPinFields2[] = {
    padding_bytes(64), field("index", kUInt), field("func", kWord<kPins>), field("chan", kUInt),
    field("rsv", kReserved<5>, not_zero<76, 20>),
};
constexpr FieldType kSetPinFields[] = {kSetPinFields2[0], kSetPinFields2[1], kSetPinFields2[2], kSetPinFields2[3],
                                       padding_bytes(20)};
constexpr StructLayout kAskedPin = {"ptp_pin_desc", kAskedPinFields}, kAskedPin2 = {"ptp_pin_desc", kAskedPinFields2};
constexpr StructLayout kSetPin = {"ptp_pin_desc", kSetPinFields}, kSetPin2 = {"ptp_pin_desc", kSetPinFields2};
static_assert(size_of(kAskedPin, Abi::X86_64) == sizeof(ptp_pin_desc) &&
              size_of(kSetPin, Abi::X86_64) == sizeof(ptp_pin_desc));

// -- how far a clock is from the system's ------------------------------------------------------------------------
// Samples: of the system, then of the clock and the system by turns.
constexpr FieldType kPtpOffsetFields[] = {
    field("n_samples", kUInt),
    field("rsv", kReserved<3>, not_zero<4, 12>),
    answer(field("ts", counted(kMoment, times(2, by_field_in(0, 2 * PTP_MAX_SAMPLES + 1), 1)))),
};
constexpr StructLayout kPtpOffset = {"ptp_sys_offset", kPtpOffsetFields};
// Since Linux 6.13 one of the reserved words is clockid.
constexpr FieldType kExtendedFields[] = {
    field("n_samples", kUInt),
    field("clockid", kWord<kClockIds>),
    field("rsv", kReserved<2>, not_zero<8, 8>),
    answer(field("ts", counted(kMoments, by_field_in(0, PTP_MAX_SAMPLES)))),
};
constexpr StructLayout kExtended = {"ptp_sys_offset_extended", kExtendedFields};
constexpr FieldType kPreciseFields[] = {
    field("device", kMoment), field("sys_realtime", kMoment), field("sys_monoraw", kSpan),
    field("rsv", kReserved<4>, not_zero<48, 16>),
};
constexpr StructLayout kPrecise = {"ptp_sys_offset_precise", kPreciseFields};
static_assert(size_of(kPtpOffset, Abi::X86_64) == sizeof(ptp_sys_offset) &&
              size_of(kExtended, Abi::X86_64) == sizeof(ptp_sys_offset_extended) &&
              size_of(kPrecise, Abi::X86_64) == sizeof(ptp_sys_offset_precise));

constexpr CommandRow kPtpRows[] = {
    ioctl_sets(0x40103d02, kStructure<kPulse>),         // PTP_EXTTS_REQUEST
    ioctl_sets(0x40103d0b, kStructure<kPulse2>),        // PTP_EXTTS_REQUEST2
    ioctl_sets(0x40383d03, kStructure<kPeriod>),        // PTP_PEROUT_REQUEST
    ioctl_sets(0x40383d0c, kStructure<kPeriod2>),       // PTP_PEROUT_REQUEST2
    ioctl_sets(0x40603d07, kStructure<kSetPin>),        // PTP_PIN_SETFUNC
    ioctl_sets(0x40603d10, kStructure<kSetPin2>),       // PTP_PIN_SETFUNC2
    ioctl_asks(0x43403d05, kStructure<kPtpOffset>),        // PTP_SYS_OFFSET
    ioctl_asks(0x43403d0e, kStructure<kPtpOffset>),        // PTP_SYS_OFFSET2
    ioctl_gets(0x80503d01, kStructure<kPtpCapabilities>),  // PTP_CLOCK_GETCAPS
    ioctl_gets(0x80503d0a, kStructure<kPtpCapabilities>),  // PTP_CLOCK_GETCAPS2
    ioctl_gets(0xc0403d08, kStructure<kPrecise>),       // PTP_SYS_OFFSET_PRECISE
    ioctl_gets(0xc0403d11, kStructure<kPrecise>),       // PTP_SYS_OFFSET_PRECISE2
    ioctl_gets(0xc0403d15, kStructure<kPrecise>),       // PTP_SYS_OFFSET_PRECISE_CYCLES
    ioctl_asks(0xc0603d06, kStructure<kAskedPin>),      // PTP_PIN_GETFUNC
    ioctl_asks(0xc0603d0f, kStructure<kAskedPin2>),     // PTP_PIN_GETFUNC2
    ioctl_asks(0xc4c03d09, kStructure<kExtended>),      // PTP_SYS_OFFSET_EXTENDED
    ioctl_asks(0xc4c03d12, kStructure<kExtended>),      // PTP_SYS_OFFSET_EXTENDED2
    ioctl_asks(0xc4c03d16, kStructure<kExtended>),      // PTP_SYS_OFFSET_EXTENDED_CYCLES
};

}  // namespace

constinit const IoctlRows kPtpIoctls = {kPtpRows};

}  // namespace strut
