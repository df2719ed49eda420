#include "syscalls/types/ioctl/ioctl_rtc.hpp"

#include <linux/rtc.h>

#include "syscalls/conditions.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr FieldType kRtcTimeFields[] = {
    field("tm_sec", kInt),   field("tm_min", kInt),   field("tm_hour", kInt),
    field("tm_mday", kInt),  field("tm_mon", kInt),   field("tm_year", kInt),
    detail("tm_wday", kInt), detail("tm_yday", kInt), detail("tm_isdst", kInt),
};
constexpr StructLayout kRtcTimeLayout = {"rtc_time", kRtcTimeFields};
static_assert(size_of(kRtcTimeLayout, Abi::X86_64) == sizeof(struct rtc_time));
constexpr Type kTime = structure(kRtcTimeLayout);

constexpr FieldType kAlarmFields[] = {field("enabled", kU8), field("pending", kU8), field("time", kTime)};
constexpr StructLayout kAlarmLayout = {"rtc_wkalrm", kAlarmFields};
static_assert(size_of(kAlarmLayout, Abi::X86_64) == sizeof(struct rtc_wkalrm));
constexpr Type kAlarm = structure(kAlarmLayout);

constexpr FieldType kLoopFields[] = {
    field("pll_ctrl", kInt),    field("pll_value", kInt),   field("pll_max", kInt),   field("pll_min", kInt),
    field("pll_posmult", kInt), field("pll_negmult", kInt), field("pll_clock", kLong)};
constexpr StructLayout kLoopLayout = {"rtc_pll_info", kLoopFields};
static_assert(size_of(kLoopLayout, Abi::X86_64) == sizeof(struct rtc_pll_info));
constexpr Type kLoop = structure(kLoopLayout);

constexpr Constant kVoltageNames[] = {{0x1, "RTC_VL_DATA_INVALID"},
                                      {0x2, "RTC_VL_BACKUP_LOW"},
                                      {0x4, "RTC_VL_BACKUP_EMPTY"},
                                      {0x8, "RTC_VL_ACCURACY_LOW"},
                                      {0x10, "RTC_VL_BACKUP_SWITCH"}};
constexpr ConstantSet kVoltage = flag_set("RTC_VL_???", kVoltageNames);

// struct rtc_param: the request is a union with the returned value.
constexpr Constant kRtcParameterNames[] = {
    {0, "RTC_PARAM_FEATURES"}, {1, "RTC_PARAM_CORRECTION"}, {2, "RTC_PARAM_BACKUP_SWITCH_MODE"}};
constexpr ConstantSet kRtcParameters = enumeration("RTC_PARAM_???", kRtcParameterNames);
constexpr Constant kRtcFeatureNames[] = {
    {0x1, "1<<RTC_FEATURE_ALARM"},          {0x2, "1<<RTC_FEATURE_ALARM_RES_MINUTE"},
    {0x4, "1<<RTC_FEATURE_NEED_WEEK_DAY"},  {0x8, "1<<RTC_FEATURE_ALARM_RES_2S"},
    {0x10, "1<<RTC_FEATURE_UPDATE_INTERRUPT"}, {0x20, "1<<RTC_FEATURE_CORRECTION"},
    {0x40, "1<<RTC_FEATURE_BACKUP_SWITCH_MODE"}, {0x80, "1<<RTC_FEATURE_ALARM_WAKEUP_ONLY"},
};
constexpr ConstantSet kRtcFeatures = flag_set("1<<RTC_FEATURE_???", kRtcFeatureNames);
constexpr Constant kRtcSwitchNames[] = {
    {0, "RTC_BSM_DISABLED"}, {1, "RTC_BSM_DIRECT"}, {2, "RTC_BSM_LEVEL"}, {3, "RTC_BSM_STANDBY"}};
constexpr ConstantSet kSwitchModes = enumeration("RTC_BSM_???", kRtcSwitchNames);

template <uint64_t... kNumbers>
constexpr FieldCondition kParameterIs = number_at_is<Width::B8, 0, kNumbers...>;
bool failed(Decoder& decoder, Addr at) { return !at_entry(decoder, at) && !succeeded(decoder, at); }
/// The value is shown when the call has returned, of RTC_PARAM_SET also before it.
template <FieldCondition kShown>
constexpr FieldType kRtcParameterFields[] = {
    asked(field("param", named(kRtcParameters, Width::B8))),
    field("svalue", kS64, both<kShown, kParameterIs<1>>),
    at(8, field("uvalue", named(kRtcFeatures, Width::B8), both<kShown, kParameterIs<0>>)),
    at(8, field("uvalue", named(kSwitchModes, Width::B8), both<kShown, kParameterIs<2>>)),
    at(8, field("uvalue", kHex64, both<kShown, unless<kParameterIs<0, 1, 2>>>)),
    at(16, asked(field("index", kUInt))),
    field("__pad", kHex32, not_zero<20, 4>),
};
bool always(Decoder&, Addr) { return true; }
constexpr StructLayout kAskedParameter = {"rtc_param", kRtcParameterFields<unless<at_entry>>},
                       kNewParameter = {"rtc_param", kRtcParameterFields<always>};
static_assert(size_of(kNewParameter, Abi::X86_64) == sizeof(struct rtc_param));
constexpr Type kParameterPointer = pointer_to(kStructure<kAskedParameter>);
constexpr Type kRtcParameter = kEither<failed, kAddress, kParameterPointer>;

constexpr CommandRow kRtcRows[] = {
    ioctl_bare(0x7001),                                  // RTC_AIE_ON
    ioctl_bare(0x7002),                                  // RTC_AIE_OFF
    ioctl_bare(0x7003),                                  // RTC_UIE_ON
    ioctl_bare(0x7004),                                  // RTC_UIE_OFF
    ioctl_bare(0x7005),                                  // RTC_PIE_ON
    ioctl_bare(0x7006),                                  // RTC_PIE_OFF
    ioctl_bare(0x700f),                                  // RTC_WIE_ON
    ioctl_bare(0x7010),                                  // RTC_WIE_OFF
    ioctl_bare(0x7014),                                  // RTC_VL_CLR
    ioctl_takes(0x4004700c, kULong),                     // RTC_IRQP_SET of 32-bit programs
    ioctl_takes(0x4004700e, kULong),                     // RTC_EPOCH_SET of 32-bit programs
    ioctl_takes(0x4008700c, kULong),                     // RTC_IRQP_SET
    ioctl_takes(0x4008700e, kULong),                     // RTC_EPOCH_SET
    // RTC_PARAM_GET
    command(0x40187013, kUnsignedResult, even_on_failure(arg("argp", kRtcParameter, Direction::InOut))),
    ioctl_sets(0x40187014, kStructure<kNewParameter>),   // RTC_PARAM_SET
    ioctl_sets(0x401c7012, kLoop),                       // RTC_PLL_SET of 32-bit programs
    ioctl_sets(0x40207012, kLoop),                       // RTC_PLL_SET
    ioctl_sets(0x40247007, kTime),                       // RTC_ALM_SET
    ioctl_sets(0x4024700a, kTime),                       // RTC_SET_TIME
    ioctl_sets(0x4028700f, kAlarm),                      // RTC_WKALM_SET
    ioctl_gets(0x8004700b, kULong),                      // RTC_IRQP_READ of 32-bit programs
    ioctl_gets(0x8004700d, kULong),                      // RTC_EPOCH_READ of 32-bit programs
    ioctl_gets(0x80047013, kWord<kVoltage>),             // RTC_VL_READ
    ioctl_gets(0x8008700b, kULong),                      // RTC_IRQP_READ
    ioctl_gets(0x8008700d, kULong),                      // RTC_EPOCH_READ
    ioctl_gets(0x801c7011, kLoop),                       // RTC_PLL_GET of 32-bit programs
    ioctl_gets(0x80207011, kLoop),                       // RTC_PLL_GET
    ioctl_gets(0x80247008, kTime),                       // RTC_ALM_READ
    ioctl_gets(0x80247009, kTime),                       // RTC_RD_TIME
    ioctl_gets(0x80287010, kAlarm),                      // RTC_WKALM_RD
};

}  // namespace

constinit const IoctlRows kRtcIoctls = {kRtcRows};

}  // namespace strut
