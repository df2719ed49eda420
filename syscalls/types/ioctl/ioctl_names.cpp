#include "syscalls/types/ioctl/ioctl_names.hpp"

#include <array>
#include <cstdio>

#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/ioctl/ioctl_input.hpp"

namespace strut {
namespace {

#define IOCTL(command, name) {command, name},
#define IOCTL_64(command, name) {command, name},
#define IOCTL_32(command, name)
constexpr Constant kNames64[] = {
#include "syscalls/types/ioctl/ioctl_names.inc"
};
#undef IOCTL_64
#undef IOCTL_32
#define IOCTL_64(command, name)
#define IOCTL_32(command, name) {command, name},
constexpr Constant kNames32[] = {
#include "syscalls/types/ioctl/ioctl_names.inc"
};
#undef IOCTL
#undef IOCTL_64
#undef IOCTL_32
static_assert(ascending(kNames64) && ascending(kNames32));
constexpr ConstantSet kSet64 = {Naming::Enumeration, nullptr, kNames64, NumberBase::Hex, true};
constexpr ConstantSet kSet32 = {Naming::Enumeration, nullptr, kNames32, NumberBase::Hex, true};

// -- commands with a parameter ------------------------------------------------------------------
enum CommandDirection : uint8_t { kWrites = 1, kReads = 2, kWritesAndReads = 3 };
enum class Parameter : uint8_t { Size, Number, Axis, EventSize };
/// Commands of one type with numbers from `first` to `last`.
struct Family {
  char type;
  uint8_t direction, first, last;
  const char* name;
  Parameter parameter;
};
constexpr Family kFamilies[] = {
    {'E', kReads, 0x06, 0x06, "EVIOCGNAME", Parameter::Size},
    {'E', kReads, 0x07, 0x07, "EVIOCGPHYS", Parameter::Size},
    {'E', kReads, 0x08, 0x08, "EVIOCGUNIQ", Parameter::Size},
    {'E', kReads, 0x09, 0x09, "EVIOCGPROP", Parameter::Size},
    {'E', kReads, 0x0a, 0x0a, "EVIOCGMTSLOTS", Parameter::Size},
    {'E', kReads, 0x18, 0x18, "EVIOCGKEY", Parameter::Size},
    {'E', kReads, 0x19, 0x19, "EVIOCGLED", Parameter::Size},
    {'E', kReads, 0x1a, 0x1a, "EVIOCGSND", Parameter::Size},
    {'E', kReads, 0x1b, 0x1b, "EVIOCGSW", Parameter::Size},
    {'E', kReads, 0x20, 0x3f, "EVIOCGBIT", Parameter::EventSize},
    {'E', kReads, 0x40, 0x7f, "EVIOCGABS", Parameter::Axis},
    {'E', kWrites, 0xc0, 0xff, "EVIOCSABS", Parameter::Axis},
    {'H', kReads, 0x04, 0x04, "HIDIOCGRAWNAME", Parameter::Size},
    {'H', kReads, 0x05, 0x05, "HIDIOCGRAWPHYS", Parameter::Size},
    {'H', kReads, 0x06, 0x06, "HIDIOCSFEATURE", Parameter::Size},
    {'H', kReads, 0x08, 0x08, "HIDIOCGRAWUNIQ", Parameter::Size},
    {'H', kReads, 0x12, 0x12, "HIDIOCGPHYS", Parameter::Size},
    {'H', kWritesAndReads, 0x06, 0x06, "HIDIOCSFEATURE", Parameter::Size},
    {'H', kWritesAndReads, 0x07, 0x07, "HIDIOCGFEATURE", Parameter::Size},
    {'M', kWrites, 0x00, 0xff, "MIXER_WRITE", Parameter::Number},
    {'M', kReads, 0x00, 0xff, "MIXER_READ", Parameter::Number},
    {'U', kReads, 0x2c, 0x2c, "UI_GET_SYSNAME", Parameter::Size},
    {'j', kReads, 0x13, 0x13, "JSIOCGNAME", Parameter::Size},
    {'k', kWrites, 0x00, 0x00, "SPI_IOC_MESSAGE", Parameter::Size},
};

const Family* family_of(uint32_t command) {
  uint8_t direction = static_cast<uint8_t>(command >> 30), number = command & 0xff;
  char type = static_cast<char>(command >> 8 & 0xff);
  for (const Family& family : kFamilies)
    if (family.type == type && family.direction == direction && family.first <= number && number <= family.last)
      return &family;
  return nullptr;
}

/// The command as a call of its macro.
Form with_parameter(Decoder& decoder, const Family& family, uint32_t command) {
  uint64_t number = command & 0xff, size = command >> 16 & 0x3fff;
  std::span<Value> args = decoder.arena().array<Value>(2);
  size_t count = 0;
  if (family.parameter == Parameter::Axis) args[count++] = Decoder::named(number & 0x3f, kInputAxes);
  if (family.parameter == Parameter::Number) args[count++] = Decoder::number(number, Show::Unsigned);
  if (family.parameter == Parameter::EventSize)
    args[count++] =
        number == family.first ? Decoder::number(0, Show::Unsigned) : Decoder::named(number & 0x1f, kInputEvents);
  if (family.parameter == Parameter::Size || family.parameter == Parameter::EventSize)
    args[count++] = Decoder::number(size, Show::Unsigned);
  return {family.name, args.first(count), decoder.arena().make(Decoder::number(command, Show::Hex, 4))};
}

/// The macro's name and number, and the other uses of the number: only commands with one decimal parameter have any.
Value with_other_names(Decoder& decoder, const Form& form, const char* others) {
  char number[24];
  const Number* parameter = std::get_if<Number>(&form.args[0].is);
  int length = std::snprintf(number, sizeof number, "(%lu) or ", parameter ? parameter->bits : 0);
  std::string_view middle(number, static_cast<size_t>(length));
  return {Alias{joined(decoder.arena(), {form.name, middle, others}), form.plain}, {}};
}

constexpr Constant kTerminalNames[] = {{0x5402, "TCSETS"}, {0x5403, "TCSETSW"}, {0x5404, "TCSETSF"}};
constexpr ConstantSet kTerminal = enumeration(nullptr, kTerminalNames);

/// Major numbers of terminals: Linux's devices.txt (pseudo-terminals, consoles, serial lines, /dev/tty and kin).
bool is_terminal(const DeviceTarget& device) {
  bool old = device.major >= 3 && device.major <= 5, unix98 = device.major >= 136 && device.major <= 143;
  return !device.block && (old || unix98);
}

bool on_terminal(Decoder& decoder) {
  std::optional<FdTarget> target = decoder.target_of(static_cast<int32_t>(decoder.call().regs[0]));
  const DeviceTarget* device = target ? std::get_if<DeviceTarget>(&target->details) : nullptr;
  return device && is_terminal(*device);
}

}  // namespace

Value ioctl_name(Decoder& decoder, uint32_t command) {
  if (kTerminal.name_of(command) && on_terminal(decoder)) return Decoder::named(command, kTerminal);
  const ConstantSet& set = decoder.abi() == Abi::I386 ? kSet32 : kSet64;
  const char* name = set.name_of(command);
  if (const Family* family = family_of(command)) {
    Form form = with_parameter(decoder, *family, command);
    return name ? with_other_names(decoder, form, name) : Value{form, {}};
  }
  return name ? Decoder::named(command, set) : Value{};
}

}  // namespace strut
