#include "syscalls/types/ioctl/ioctl_rtc.hpp"

#include <linux/rtc.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr FieldType kTimeFields[] = {
    field("tm_sec", kInt),   field("tm_min", kInt),   field("tm_hour", kInt),
    field("tm_mday", kInt),  field("tm_mon", kInt),   field("tm_year", kInt),
    detail("tm_wday", kInt), detail("tm_yday", kInt), detail("tm_isdst", kInt),
};
constexpr StructLayout kTimeLayout = {"rtc_time", kTimeFields};
static_assert(size_of(kTimeLayout, Abi::X86_64) == sizeof(struct rtc_time));
constexpr Type kTime = structure(kTimeLayout);

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
constexpr Constant kParameterNames[] = {
    {0, "RTC_PARAM_FEATURES"}, {1, "RTC_PARAM_CORRECTION"}, {2, "RTC_PARAM_BACKUP_SWITCH_MODE"}};
constexpr ConstantSet kParameters = enumeration("RTC_PARAM_???", kParameterNames);
constexpr Constant kFeatureNames[] = {
    {0x1, "1<<RTC_FEATURE_ALARM"},          {0x2, "1<<RTC_FEATURE_ALARM_RES_MINUTE"},
    {0x4, "1<<RTC_FEATURE_NEED_WEEK_DAY"},  {0x8, "1<<RTC_FEATURE_ALARM_RES_2S"},
    {0x10, "1<<RTC_FEATURE_UPDATE_INTERRUPT"}, {0x20, "1<<RTC_FEATURE_CORRECTION"},
    {0x40, "1<<RTC_FEATURE_BACKUP_SWITCH_MODE"}, {0x80, "1<<RTC_FEATURE_ALARM_WAKEUP_ONLY"},
};
constexpr ConstantSet kFeatures = flag_set("1<<RTC_FEATURE_???", kFeatureNames);
constexpr Constant kSwitchNames[] = {
    {0, "RTC_BSM_DISABLED"}, {1, "RTC_BSM_DIRECT"}, {2, "RTC_BSM_LEVEL"}, {3, "RTC_BSM_STANDBY"}};
constexpr ConstantSet kSwitchModes = enumeration("RTC_BSM_???", kSwitchNames);

struct Parameter {
  uint64_t number, value;
  uint32_t index, padding;
};
void add_value(FieldList& fields, const Parameter& parameter) {
  if (parameter.number == 1) fields.add("svalue", Decoder::number(parameter.value, Show::Signed));
  else if (parameter.number == 0) fields.add("uvalue", Decoder::named(parameter.value, kFeatures, 8));
  else if (parameter.number == 2) fields.add("uvalue", Decoder::named(parameter.value, kSwitchModes, 8));
  else fields.add("uvalue", Decoder::number(parameter.value, Show::Hex));
}
void add_padding(FieldList& fields, const Parameter& parameter) {
  if (parameter.padding != 0) fields.add("__pad", Decoder::number(parameter.padding, Show::Hex, 4));
}
template <bool kSetting>
Value decode_parameter(Decoder& decoder, uint64_t at, size_t) {
  Parameter parameter;
  bool asking = decoder.phase() == Phase::Enter;
  if (!asking && decoder.call().error != 0) return Decoder::address(at);
  if (!decoder.read(Addr{at}, parameter)) return decoder.missing(Addr{at});
  FieldList fields;
  if (asking) fields.add("param", Decoder::named(parameter.number, kParameters, 8));
  if (!asking || kSetting) add_value(fields, parameter);
  if (asking) fields.add("index", Decoder::number(parameter.index, Show::Unsigned, 4));
  add_padding(fields, parameter);
  return fields.structure(decoder);
}
constexpr Type kParameter = custom(decode_parameter<false>, sizeof(Parameter), Width::B8);
constexpr Type kNewParameter = custom(decode_parameter<true>, sizeof(Parameter), Width::B8);

constexpr CommandRow kRows[] = {
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
    command(0x40187013, kUnsignedResult, even_on_failure(inout("argp", kParameter))),  // RTC_PARAM_GET
    ioctl_sets(0x40187014, kNewParameter),               // RTC_PARAM_SET
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

constinit const IoctlRows kRtcIoctls = {kRows};

}  // namespace strut
