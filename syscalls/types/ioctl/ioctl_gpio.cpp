#include "syscalls/types/ioctl/ioctl_gpio.hpp"

#include <linux/gpio.h>

#include "syscalls/conditions.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/common/reserved.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kGpioFlagNames[] = {
    {1 << 0, "GPIO_V2_LINE_FLAG_USED"},
    {1 << 1, "GPIO_V2_LINE_FLAG_ACTIVE_LOW"},
    {1 << 2, "GPIO_V2_LINE_FLAG_INPUT"},
    {1 << 3, "GPIO_V2_LINE_FLAG_OUTPUT"},
    {1 << 4, "GPIO_V2_LINE_FLAG_EDGE_RISING"},
    {1 << 5, "GPIO_V2_LINE_FLAG_EDGE_FALLING"},
    {1 << 6, "GPIO_V2_LINE_FLAG_OPEN_DRAIN"},
    {1 << 7, "GPIO_V2_LINE_FLAG_OPEN_SOURCE"},
    {1 << 8, "GPIO_V2_LINE_FLAG_BIAS_PULL_UP"},
    {1 << 9, "GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN"},
    {1 << 10, "GPIO_V2_LINE_FLAG_BIAS_DISABLED"},
    {1 << 11, "GPIO_V2_LINE_FLAG_EVENT_CLOCK_REALTIME"},
    {1 << 12, "GPIO_V2_LINE_FLAG_EVENT_CLOCK_HTE"},
};
constexpr Constant kStateNames[] = {
    {1 << 0, "GPIOLINE_FLAG_KERNEL"},      {1 << 1, "GPIOLINE_FLAG_IS_OUT"},
    {1 << 2, "GPIOLINE_FLAG_ACTIVE_LOW"},  {1 << 3, "GPIOLINE_FLAG_OPEN_DRAIN"},
    {1 << 4, "GPIOLINE_FLAG_OPEN_SOURCE"}, {1 << 5, "GPIOLINE_FLAG_BIAS_PULL_UP"},
    {1 << 6, "GPIOLINE_FLAG_BIAS_PULL_DOWN"}, {1 << 7, "GPIOLINE_FLAG_BIAS_DISABLE"},
};
constexpr Constant kHandleNames[] = {
    {1 << 0, "GPIOHANDLE_REQUEST_INPUT"},       {1 << 1, "GPIOHANDLE_REQUEST_OUTPUT"},
    {1 << 2, "GPIOHANDLE_REQUEST_ACTIVE_LOW"},  {1 << 3, "GPIOHANDLE_REQUEST_OPEN_DRAIN"},
    {1 << 4, "GPIOHANDLE_REQUEST_OPEN_SOURCE"}, {1 << 5, "GPIOHANDLE_REQUEST_BIAS_PULL_UP"},
    {1 << 6, "GPIOHANDLE_REQUEST_BIAS_PULL_DOWN"}, {1 << 7, "GPIOHANDLE_REQUEST_BIAS_DISABLE"},
};
constexpr Constant kEdgeNames[] = {
    {3, "GPIOEVENT_REQUEST_BOTH_EDGES"}, {1, "GPIOEVENT_REQUEST_RISING_EDGE"}, {2, "GPIOEVENT_REQUEST_FALLING_EDGE"}};
constinit const ConstantSet kLineFlags = flag_set("GPIO_V2_LINE_FLAG_???", kGpioFlagNames);
constinit const ConstantSet kStates = flag_set("GPIOLINE_FLAG_???", kStateNames);
constinit const ConstantSet kHandles = flag_set("GPIOHANDLE_REQUEST_???", kHandleNames);
constinit const ConstantSet kEdges = flag_set("GPIOEVENT_REQUEST_???", kEdgeNames);
constexpr Type kGpioName = char_array(GPIO_MAX_NAME_SIZE), kGpioFlags = named(kLineFlags, Width::B8);

// -- version 1 ----------------------------------------------------------------------------------------------------
constexpr FieldType kGpioChipFields[] = {field("name", kGpioName), field("label", kGpioName), field("lines", kUInt)};
constexpr StructLayout kGpioChip = {"gpiochip_info", kGpioChipFields};
constexpr FieldType kLineFields[] = {
    asked(field("line_offset", kUInt)), answer(field("flags", kWord<kStates>)), answer(field("name", kGpioName)),
    answer(field("consumer", kGpioName)),
};
constexpr StructLayout kGpioLine = {"gpioline_info", kLineFields};

constexpr int16_t kHandleLines = offsetof(gpiohandle_request, lines), kHandleValues = 260, kMost = GPIOHANDLES_MAX;
constexpr FieldType kHandleFields[] = {
    at(kHandleLines, asked(field("lines", kUInt))),
    at(0, asked(field("lineoffsets", counted(kUInt, by_field_in(0, kMost))))),
    at(256, asked(field("flags", kWord<kHandles>))),
    at(kHandleValues, asked(field("default_values", counted(kU8, by_field_in(0, kMost))))),
    at(324, asked(field("consumer_label", kGpioName))),
    at(360, answer(field("fd", kFd))),
};
constexpr StructLayout kHandle = {"gpiohandle_request", kHandleFields};
static_assert(kHandleValues == offsetof(gpiohandle_request, default_values));
constexpr FieldType kEventFields[] = {
    asked(field("lineoffset", kUInt)),      asked(field("handleflags", kWord<kHandles>)),
    asked(field("eventflags", kWord<kEdges>)), asked(field("consumer_label", kGpioName)), answer(field("fd", kFd)),
};
constexpr StructLayout kLineEvent = {"gpioevent_request", kEventFields};

constexpr Type kAllValues = array_of(kU8, GPIOHANDLES_MAX);
constexpr FieldType kDataFields[] = {field("values", kAllValues)};
constexpr StructLayout kData = {"gpiohandle_data", kDataFields};
constexpr FieldType kHandleConfigFields[] = {
    field("flags", kWord<kHandles>), field("default_values", kAllValues), padding_bytes(16)};
constexpr StructLayout kHandleConfig = {"gpiohandle_config", kHandleConfigFields};
constexpr FieldType kGpioOffsetFields[] = {field("offset", kUInt)};
constexpr StructLayout kGpioOffset = {"offset", kGpioOffsetFields};

static_assert(size_of(kGpioChip, Abi::X86_64) == sizeof(gpiochip_info) &&
              size_of(kGpioLine, Abi::X86_64) == sizeof(gpioline_info) &&
              size_of(kHandle, Abi::X86_64) == sizeof(gpiohandle_request) &&
              size_of(kLineEvent, Abi::X86_64) == sizeof(gpioevent_request) &&
              size_of(kHandleConfig, Abi::X86_64) == sizeof(gpiohandle_config));

// -- version 2 ----------------------------------------------------------------------------------------------------
/// The id of an attribute, 0 if something is in its padding.
uint64_t attribute_id(Decoder& decoder, Addr attribute) {
  return not_zero<4, 4>(decoder, attribute) ? 0 : decoder.read_number(attribute, Width::B4).value_or(0);
}
template <uint64_t kId>
bool is_attribute(Decoder& decoder, Addr attribute) {
  return attribute_id(decoder, attribute) == kId;
}
bool is_unknown(Decoder& decoder, Addr attribute) {
  uint64_t id = attribute_id(decoder, attribute);
  return id < GPIO_V2_LINE_ATTR_ID_FLAGS || id > GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
}
constexpr FieldType kAttributeFields[] = {
    field("id", kUInt, is_unknown),
    field("padding", kHex32, not_zero<4, 4>),
    field("data", kHex64, is_unknown),
    overlapping(field("flags", kGpioFlags, is_attribute<GPIO_V2_LINE_ATTR_ID_FLAGS>)),
    overlapping(field("values", kHex64, is_attribute<GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES>)),
    overlapping(field("debounce_period_us", kUInt, is_attribute<GPIO_V2_LINE_ATTR_ID_DEBOUNCE>)),
};
constexpr StructLayout kAttributeLayout = {"gpio_v2_line_attribute", kAttributeFields};
constexpr Type kAttribute = structure(kAttributeLayout);
constexpr FieldType kConfigAttributeFields[] = {
    field("attr", kAttribute, is_unknown), at(8, kAttributeFields[3]), at(8, kAttributeFields[4]),
    at(8, kAttributeFields[5]),            at(16, field("mask", kHex64)),
};
constexpr StructLayout kConfigAttributeLayout = {"gpio_v2_line_config_attribute", kConfigAttributeFields};
constexpr Type kConfigAttribute = structure(kConfigAttributeLayout);

constexpr uint32_t kMaxAttributes = GPIO_V2_LINE_NUM_ATTRS_MAX;
constexpr FieldType kGpioConfigFields[] = {
    field("flags", kGpioFlags),
    field("num_attrs", kUInt),
    field("padding", kReserved<5>, not_zero<12, 20>),
    field("attrs", counted(kConfigAttribute, by_field_in(1, kMaxAttributes)), not_zero<8, 4>),
};
constexpr StructLayout kGpioConfig = {"gpio_v2_line_config", kGpioConfigFields};

bool is_padded_request(Decoder& decoder, Addr request) {
  return is_asked(decoder, request) && not_zero<offsetof(gpio_v2_line_request, padding), 20>(decoder, request);
}
bool is_buffered_request(Decoder& decoder, Addr request) {
  return is_asked(decoder, request) && not_zero<offsetof(gpio_v2_line_request, event_buffer_size), 4>(decoder, request);
}
constexpr int16_t kRequestLines = offsetof(gpio_v2_line_request, num_lines);
constexpr FieldType kGpioRequestFields[] = {
    at(kRequestLines, asked(field("num_lines", kUInt))),
    at(0, asked(field("offsets", counted(kUInt, by_field_in(0, GPIO_V2_LINES_MAX))))),
    at(256, asked(field("consumer", kGpioName))),
    at(288, asked(field("config", kStructure<kGpioConfig>))),
    at(kRequestLines + 4, field("event_buffer_size", kUInt, is_buffered_request)),
    at(kRequestLines + 8, field("padding", kReserved<5>, is_padded_request)),
    at(kRequestLines + 28, answer(field("fd", kFd))),
};
constexpr StructLayout kRequest = {"gpio_v2_line_request", kGpioRequestFields};

bool has_attributes(Decoder& decoder, Addr line) {
  return is_answered(decoder, line) && not_zero<offsetof(gpio_v2_line_info, num_attrs), 4>(decoder, line);
}
bool is_padded_line(Decoder& decoder, Addr line) {
  return is_answered(decoder, line) && not_zero<offsetof(gpio_v2_line_info, padding), 16>(decoder, line);
}
constexpr FieldType kLine2Fields[] = {
    at(64, asked(field("offset", kUInt))),
    at(0, answer(field("name", kGpioName))),
    at(32, answer(field("consumer", kGpioName))),
    at(72, answer(field("flags", kGpioFlags))),
    at(68, answer(field("num_attrs", kUInt))),
    at(80, field("attrs", counted(kAttribute, by_field_in(4, kMaxAttributes)), has_attributes)),
    at(240, field("padding", kReserved<4>, is_padded_line)),
};
constexpr StructLayout kLine2 = {"gpio_v2_line_info", kLine2Fields};

constexpr FieldType kAskedValuesFields[] = {at(8, asked(field("mask", kHex64))), at(0, answer(field("bits", kHex64)))};
constexpr StructLayout kAskedValues = {"gpio_v2_line_values", kAskedValuesFields};
constexpr FieldType kValuesFields[] = {field("bits", kHex64), field("mask", kHex64)};
constexpr StructLayout kValues = {"gpio_v2_line_values", kValuesFields};
static_assert(size_of(kGpioConfig, Abi::X86_64) == sizeof(gpio_v2_line_config) &&
              size_of(kRequest, Abi::X86_64) == sizeof(gpio_v2_line_request) &&
              size_of(kLine2, Abi::X86_64) == sizeof(gpio_v2_line_info));

constexpr CommandRow kGpioRows[] = {
    ioctl_gets(0x8044b401, kStructure<kGpioChip>),              // GPIO_GET_CHIPINFO_IOCTL
    ioctl_sets(0xc004b40c, kStructure<kGpioOffset>),            // GPIO_GET_LINEINFO_UNWATCH_IOCTL
    ioctl_exchanges(0xc010b40e, kStructure<kAskedValues>),  // GPIO_V2_LINE_GET_VALUES_IOCTL
    ioctl_sets(0xc010b40f, kStructure<kValues>),            // GPIO_V2_LINE_SET_VALUES_IOCTL
    ioctl_exchanges(0xc030b404, kStructure<kLineEvent>),        // GPIO_GET_LINEEVENT_IOCTL
    ioctl_gets(0xc040b408, kStructure<kData>),              // GPIOHANDLE_GET_LINE_VALUES_IOCTL
    ioctl_sets(0xc040b409, kStructure<kData>),              // GPIOHANDLE_SET_LINE_VALUES_IOCTL
    ioctl_exchanges(0xc048b402, kStructure<kGpioLine>),         // GPIO_GET_LINEINFO_IOCTL
    ioctl_exchanges(0xc048b40b, kStructure<kGpioLine>),         // GPIO_GET_LINEINFO_WATCH_IOCTL
    ioctl_sets(0xc054b40a, kStructure<kHandleConfig>),      // GPIOHANDLE_SET_CONFIG_IOCTL
    ioctl_exchanges(0xc100b405, kStructure<kLine2>),        // GPIO_V2_GET_LINEINFO_IOCTL
    ioctl_exchanges(0xc100b406, kStructure<kLine2>),        // GPIO_V2_GET_LINEINFO_WATCH_IOCTL
    ioctl_sets(0xc110b40d, kStructure<kGpioConfig>),            // GPIO_V2_LINE_SET_CONFIG_IOCTL
    ioctl_exchanges(0xc16cb403, kStructure<kHandle>),       // GPIO_GET_LINEHANDLE_IOCTL
    ioctl_exchanges(0xc250b407, kStructure<kRequest>),      // GPIO_V2_GET_LINE_IOCTL
};

}  // namespace

constinit const IoctlRows kGpioIoctls = {kGpioRows};

}  // namespace strut
