#include "syscalls/types/ioctl/ioctl_input.hpp"

#include <linux/input.h>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/hex.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/input-event-codes.h>
constexpr Constant kAxisNames[] = {
    {0x00, "ABS_X"},              {0x01, "ABS_Y"},             {0x02, "ABS_Z"},
    {0x03, "ABS_RX"},             {0x04, "ABS_RY"},            {0x05, "ABS_RZ"},
    {0x06, "ABS_THROTTLE"},       {0x07, "ABS_RUDDER"},        {0x08, "ABS_WHEEL"},
    {0x09, "ABS_GAS"},            {0x0a, "ABS_BRAKE"},         {0x10, "ABS_HAT0X"},
    {0x11, "ABS_HAT0Y"},          {0x12, "ABS_HAT1X"},         {0x13, "ABS_HAT1Y"},
    {0x14, "ABS_HAT2X"},          {0x15, "ABS_HAT2Y"},         {0x16, "ABS_HAT3X"},
    {0x17, "ABS_HAT3Y"},          {0x18, "ABS_PRESSURE"},      {0x19, "ABS_DISTANCE"},
    {0x1a, "ABS_TILT_X"},         {0x1b, "ABS_TILT_Y"},        {0x1c, "ABS_TOOL_WIDTH"},
    {0x20, "ABS_VOLUME"},         {0x21, "ABS_PROFILE"},       {0x22, "ABS_SND_PROFILE"},
    {0x28, "ABS_MISC"},           {0x2e, "ABS_RESERVED"},      {0x2f, "ABS_MT_SLOT"},
    {0x30, "ABS_MT_TOUCH_MAJOR"}, {0x31, "ABS_MT_TOUCH_MINOR"}, {0x32, "ABS_MT_WIDTH_MAJOR"},
    {0x33, "ABS_MT_WIDTH_MINOR"}, {0x34, "ABS_MT_ORIENTATION"}, {0x35, "ABS_MT_POSITION_X"},
    {0x36, "ABS_MT_POSITION_Y"},  {0x37, "ABS_MT_TOOL_TYPE"},  {0x38, "ABS_MT_BLOB_ID"},
    {0x39, "ABS_MT_TRACKING_ID"}, {0x3a, "ABS_MT_PRESSURE"},   {0x3b, "ABS_MT_DISTANCE"},
    {0x3c, "ABS_MT_TOOL_X"},      {0x3d, "ABS_MT_TOOL_Y"},
};
constexpr Constant kInputEventNames[] = {
    {0x00, "EV_SYN"}, {0x01, "EV_KEY"}, {0x02, "EV_REL"}, {0x03, "EV_ABS"}, {0x04, "EV_MSC"}, {0x05, "EV_SW"},
    {0x11, "EV_LED"}, {0x12, "EV_SND"}, {0x14, "EV_REP"}, {0x15, "EV_FF"},  {0x16, "EV_PWR"}, {0x17, "EV_FF_STATUS"},
};
constexpr Constant kMoveNames[] = {
    {0x0, "REL_X"},      {0x1, "REL_Y"},    {0x2, "REL_Z"},     {0x3, "REL_RX"},   {0x4, "REL_RY"},
    {0x5, "REL_RZ"},     {0x6, "REL_HWHEEL"}, {0x7, "REL_DIAL"}, {0x8, "REL_WHEEL"}, {0x9, "REL_MISC"},
    {0xa, "REL_RESERVED"}, {0xb, "REL_WHEEL_HI_RES"}, {0xc, "REL_HWHEEL_HI_RES"},
};
constexpr ConstantSet kMoves = enumeration("REL_???", kMoveNames);
constexpr Constant kOtherNames[] = {{0, "MSC_SERIAL"}, {1, "MSC_PULSELED"}, {2, "MSC_GESTURE"},
                                    {3, "MSC_RAW"},    {4, "MSC_SCAN"},     {5, "MSC_TIMESTAMP"}};
constexpr ConstantSet kOthers = enumeration("MSC_???", kOtherNames);
constexpr Constant kInputSwitchNames[] = {
    {0x0, "SW_LID"},
    {0x1, "SW_TABLET_MODE"},
    {0x2, "SW_HEADPHONE_INSERT"},
    {0x3, "SW_RFKILL_ALL"},
    {0x4, "SW_MICROPHONE_INSERT"},
    {0x5, "SW_DOCK"},
    {0x6, "SW_LINEOUT_INSERT"},
    {0x7, "SW_JACK_PHYSICAL_INSERT"},
    {0x8, "SW_VIDEOOUT_INSERT"},
    {0x9, "SW_CAMERA_LENS_COVER"},
    {0xa, "SW_KEYPAD_SLIDE"},
    {0xb, "SW_FRONT_PROXIMITY"},
    {0xc, "SW_ROTATE_LOCK"},
    {0xd, "SW_LINEIN_INSERT"},
    {0xe, "SW_MUTE_DEVICE"},
    {0xf, "SW_PEN_INSERTED"},
    {0x10, "SW_MACHINE_COVER"},
    {0x11, "SW_USB_INSERT"},
};
constexpr ConstantSet kSwitches = enumeration("SW_???", kInputSwitchNames);
constexpr Constant kLightNames[] = {
    {0x0, "LED_NUML"}, {0x1, "LED_CAPSL"}, {0x2, "LED_SCROLLL"},  {0x3, "LED_COMPOSE"},
    {0x4, "LED_KANA"}, {0x5, "LED_SLEEP"}, {0x6, "LED_SUSPEND"},  {0x7, "LED_MUTE"},
    {0x8, "LED_MISC"}, {0x9, "LED_MAIL"},  {0xa, "LED_CHARGING"},
};
constexpr ConstantSet kLights = enumeration("LED_???", kLightNames);
constexpr Constant kSoundNames[] = {{0, "SND_CLICK"}, {1, "SND_BELL"}, {2, "SND_TONE"}};
constexpr ConstantSet kSounds = enumeration("SND_???", kSoundNames);
constexpr Constant kRepeatNames[] = {{0, "REP_DELAY"}, {1, "REP_PERIOD"}};
constexpr ConstantSet kRepeats = enumeration("REP_???", kRepeatNames);
constexpr Constant kForceNames[] = {
    {0x4f, "FF_HAPTIC"},   {0x50, "FF_RUMBLE"},     {0x51, "FF_PERIODIC"}, {0x52, "FF_CONSTANT"}, {0x53, "FF_SPRING"},
    {0x54, "FF_FRICTION"}, {0x55, "FF_DAMPER"},     {0x56, "FF_INERTIA"},  {0x57, "FF_RAMP"},     {0x58, "FF_SQUARE"},
    {0x59, "FF_TRIANGLE"}, {0x5a, "FF_SINE"},       {0x5b, "FF_SAW_UP"},   {0x5c, "FF_SAW_DOWN"}, {0x5d, "FF_CUSTOM"},
    {0x60, "FF_GAIN"},     {0x61, "FF_AUTOCENTER"},
};
constexpr ConstantSet kForces = enumeration("FF_???", kForceNames);
constexpr Constant kForceStateNames[] = {{0, "FF_STATUS_STOPPED"}, {1, "FF_STATUS_PLAYING"}};
constexpr ConstantSet kForceStates = enumeration("FF_STATUS_???", kForceStateNames);
constexpr Constant kInputPropertyNames[] = {
    {0, "INPUT_PROP_POINTER"},       {1, "INPUT_PROP_DIRECT"},       {2, "INPUT_PROP_BUTTONPAD"},
    {3, "INPUT_PROP_SEMI_MT"},       {4, "INPUT_PROP_TOPBUTTONPAD"}, {5, "INPUT_PROP_POINTING_STICK"},
    {6, "INPUT_PROP_ACCELEROMETER"}, {7, "INPUT_PROP_PRESSUREPAD"},
};
constexpr ConstantSet kInputProperties = enumeration("INPUT_PROP_???", kInputPropertyNames);
// Axes of one of several fingers.
constexpr Constant kTouchNames[] = {
    {0x2f, "ABS_MT_SLOT"},        {0x30, "ABS_MT_TOUCH_MAJOR"}, {0x31, "ABS_MT_TOUCH_MINOR"},
    {0x32, "ABS_MT_WIDTH_MAJOR"}, {0x33, "ABS_MT_WIDTH_MINOR"}, {0x34, "ABS_MT_ORIENTATION"},
    {0x35, "ABS_MT_POSITION_X"},  {0x36, "ABS_MT_POSITION_Y"},  {0x37, "ABS_MT_TOOL_TYPE"},
    {0x38, "ABS_MT_BLOB_ID"},     {0x39, "ABS_MT_TRACKING_ID"}, {0x3a, "ABS_MT_PRESSURE"},
    {0x3b, "ABS_MT_DISTANCE"},    {0x3c, "ABS_MT_TOOL_X"},      {0x3d, "ABS_MT_TOOL_Y"},
};
constexpr ConstantSet kTouches = enumeration("ABS_MT_???", kTouchNames);

// -- sets of a device's capabilities: as many bytes as the call returned ------------------------------
template <const ConstantSet& kNames, uint32_t kMost>
constexpr Type kSetOf = bit_set(kWord<kNames>, at_most(kMost, by_result()));
constexpr Type kInputName = bytes(by_result());

uint64_t bytes_of_command(Decoder& decoder) { return decoder.call().regs[1] >> 16 & 0x3fff; }

/// struct input_mt_request_layout: a code, and its value for every finger.
Value decode_touches(Decoder& decoder, uint64_t at, size_t) {
  uint32_t code;
  uint64_t bytes = bytes_of_command(decoder);
  if (bytes < sizeof code) return Decoder::address(at);
  if (!decoder.read(Addr{at}, code)) return decoder.missing(Addr{at});
  FieldList fields;
  fields.add("code", Decoder::named(code, kTouches));
  return fields.add("values", decoder.array(kInt, Addr{at} + sizeof code, bytes / sizeof code - 1)).structure(decoder);
}
constexpr Type kTouchLayout = custom(decode_touches, 1, Width::B1);

// -- objects of one size --------------------------------------------------------------------------------
/// Linux 2.6.31's structure ended before it.
bool has_resolution(Decoder& decoder, Addr) { return bytes_of_command(decoder) >= sizeof(struct input_absinfo); }
constexpr FieldType kAxisFields[] = {field("value", kUInt),    field("minimum", kUInt),
                                     detail("maximum", kUInt), detail("fuzz", kUInt),
                                     detail("flat", kUInt),    detail("resolution", kUInt, has_resolution)};
constexpr StructLayout kAxisLayout = {"input_absinfo", kAxisFields};
static_assert(size_of(kAxisLayout, Abi::X86_64) == sizeof(struct input_absinfo));

constexpr FieldType kInputIdFields[] = {field("bustype", kU16), field("vendor", kU16), field("product", kU16),
                                   field("version", kU16)};
constexpr StructLayout kInputIdLayout = {"input_id", kInputIdFields};

constexpr Type kRepeatTimes = whole(array_of(kUInt, 2));
constexpr FieldType kKeyCodeFields[] = {field("", kUInt), field("", named(kInputKeys))};
constexpr StructLayout kKeyCodeLayout = {"keycode", kKeyCodeFields};
constexpr Type kKeyCode = listed(kKeyCodeLayout);

constexpr Type kScanCode = array_of(kHex8, 32);
constexpr FieldType kInputEntryFields[] = {field("flags", kU8), field("len", kU8), detail("index", kU16),
                                      detail("keycode", named(kInputKeys)), detail("scancode", kScanCode)};
constexpr StructLayout kInputEntryLayout = {"input_keymap_entry", kInputEntryFields};
static_assert(size_of(kInputEntryLayout, Abi::X86_64) == sizeof(struct input_keymap_entry));

constexpr FieldType kTriggerFields[] = {field("button", kU16), field("interval", kU16)};
constexpr FieldType kReplayFields[] = {field("length", kU16), field("delay", kU16)};
constexpr FieldType kEnvelopeFields[] = {field("attack_length", kU16), field("attack_level", kU16),
                                         field("fade_length", kU16), field("fade_level", kHex16)};
constexpr StructLayout kTriggerLayout = {"ff_trigger", kTriggerFields}, kReplayLayout = {"ff_replay", kReplayFields};
constexpr StructLayout kEnvelopeLayout = {"ff_envelope", kEnvelopeFields};
constexpr Type kEnvelope = structure(kEnvelopeLayout);
constexpr FieldType kConstantFields[] = {field("level", kS16), field("envelope", kEnvelope)};
constexpr FieldType kRampFields[] = {field("start_level", kS16), field("end_level", kS16),
                                     field("envelope", kEnvelope)};
constexpr FieldType kPeriodicFields[] = {
    field("waveform", kU16), field("period", kU16),        field("magnitude", kS16),   field("offset", kS16),
    field("phase", kU16),    field("envelope", kEnvelope), field("custom_len", kUInt), field("custom_data", kAddress)};
constexpr FieldType kRumbleFields[] = {field("strong_magnitude", kU16), field("weak_magnitude", kU16)};
constexpr StructLayout kConstantLayout = {"ff_constant_effect", kConstantFields},
                       kRampLayout = {"ff_ramp_effect", kRampFields};
constexpr StructLayout kPeriodicLayout = {"ff_periodic_effect", kPeriodicFields},
                       kRumbleLayout = {"ff_rumble_effect", kRumbleFields};

template <uint16_t kKind>
bool is_effect(Decoder& decoder, Addr effect) {
  uint16_t kind;
  return decoder.read(effect, kind) && kind == kKind;
}
// The periodic effect, which holds a pointer, says how long and how aligned the union is.
constexpr FieldType kEffectFields[] = {
    field("type", named(kForces, Width::B2)),
    field("id", kS16),
    field("direction", kU16),
    detail("trigger", structure(kTriggerLayout)),
    detail("replay", structure(kReplayLayout)),
    detail("periodic", structure(kPeriodicLayout), is_effect<0x51>),
    overlapping(detail("constant", structure(kConstantLayout), is_effect<0x52>)),
    overlapping(detail("ramp", structure(kRampLayout), is_effect<0x57>)),
    overlapping(detail("rumble", structure(kRumbleLayout), is_effect<0x50>)),
};
constexpr StructLayout kEffectLayout = {"ff_effect", kEffectFields};
static_assert(size_of(kEffectLayout, Abi::X86_64) == sizeof(struct ff_effect) &&
              size_of(kEffectLayout, Abi::I386) == 44);

constexpr CommandRow kInputRows[] = {
    ioctl_takes(0x40044581, kInt),                      // EVIOCRMFF
    ioctl_takes(0x40044590, kULong),                    // EVIOCGRAB
    ioctl_takes(0x40044591, kULong),                    // EVIOCREVOKE
    ioctl_sets(0x400445a0, kUInt),                      // EVIOCSCLOCKID
    ioctl_points(0x40084501),                           // APEI_ERST_CLEAR_RECORD
    ioctl_sets(0x40084503, kRepeatTimes),               // EVIOCSREP
    ioctl_sets(0x40084504, kKeyCode),                   // EVIOCSKEYCODE
    ioctl_points(0x40104593),                           // EVIOCSMASK
    ioctl_sets(0x40284504, kStructure<kInputEntryLayout>),   // EVIOCSKEYCODE_V2
    ioctl_sets(0x402c4580, kStructure<kEffectLayout>),  // EVIOCSFF of 32-bit programs
    ioctl_sets(0x40304580, kStructure<kEffectLayout>),  // EVIOCSFF
    ioctl_gets(0x80044501, kHex32),                     // EVIOCGVERSION
    ioctl_points(0x80044502),                           // APEI_ERST_GET_RECORD_COUNT
    ioctl_gets(0x80044584, kUInt),                      // EVIOCGEFFECTS
    ioctl_gets(0x80084502, kStructure<kInputIdLayout>),      // EVIOCGID
    ioctl_gets(0x80084503, kRepeatTimes),               // EVIOCGREP
    ioctl_gets(0x80084504, kKeyCode),                   // EVIOCGKEYCODE
    ioctl_points(0x80104592),                           // EVIOCGMASK
    ioctl_gets(0x80284504, kStructure<kInputEntryLayout>),   // EVIOCGKEYCODE_V2
};
constexpr auto kInputSizedRows = [] {
  constexpr size_t kAxes = 64;
  constexpr uint32_t kReads = 0x80004500, kWrites = 0x40004500;
  std::array<CommandRow, 9 + 32 + 2 * kAxes> rows{};
  size_t count = 0;
  for (uint32_t axis = 0; axis < kAxes; axis++)
    rows[count++] = ioctl_sets(kWrites + 0xc0 + axis, kStructure<kAxisLayout>);
  auto get = [&](uint32_t number, const Type& type) { rows[count++] = ioctl_gets(kReads + number, type); };
  for (uint32_t number = 0x06; number <= 0x08; number++) get(number, kInputName);  // EVIOCGNAME, EVIOCGPHYS, EVIOCGUNIQ
  get(0x09, kSetOf<kInputProperties, INPUT_PROP_MAX>);    // EVIOCGPROP
  get(0x0a, kTouchLayout);                           // EVIOCGMTSLOTS
  get(0x18, kSetOf<kInputKeys, KEY_MAX>);            // EVIOCGKEY
  get(0x19, kSetOf<kLights, LED_MAX>);               // EVIOCGLED
  get(0x1a, kSetOf<kSounds, SND_MAX>);               // EVIOCGSND
  get(0x1b, kSetOf<kSwitches, 0x11>);                // EVIOCGSW
  for (uint32_t event = 0; event < 32; event++) rows[count + event] = ioctl_points(kReads + 0x20 + event);
  auto get_bits = [&](uint32_t event, const Type& type) {
    rows[count + event] = ioctl_gets(kReads + 0x20 + event, type);
  };
  get_bits(0, kSetOf<kInputEvents, EV_MAX>);           // EVIOCGBIT and EV_*
  get_bits(EV_KEY, kSetOf<kInputKeys, KEY_MAX>);
  get_bits(EV_REL, kSetOf<kMoves, REL_MAX>);
  get_bits(EV_ABS, kSetOf<kInputAxes, ABS_MAX>);
  get_bits(EV_MSC, kSetOf<kOthers, MSC_MAX>);
  get_bits(EV_SW, kSetOf<kSwitches, 0x11>);
  get_bits(EV_LED, kSetOf<kLights, LED_MAX>);
  get_bits(EV_SND, kSetOf<kSounds, SND_MAX>);
  get_bits(EV_REP, kSetOf<kRepeats, REP_MAX>);
  get_bits(EV_FF, kSetOf<kForces, FF_MAX>);
  get_bits(EV_PWR, kInt);
  get_bits(EV_FF_STATUS, kSetOf<kForceStates, FF_STATUS_MAX>);
  count += 32;
  for (uint32_t axis = 0; axis < kAxes; axis++) get(0x40 + axis, kStructure<kAxisLayout>);
  return rows;
}();

}  // namespace

constinit const ConstantSet kInputAxes = enumeration("ABS_???", kAxisNames);
constinit const ConstantSet kInputEvents = enumeration("EV_???", kInputEventNames);
constinit const IoctlRows kInputIoctls = {kInputRows};
constinit const IoctlRows kSizedInputIoctls = {kInputSizedRows};

}  // namespace strut
