#include "syscalls/types/ioctl/ioctl.hpp"

#include <algorithm>

#include "syscalls/call.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/types/btrfs/btrfs.hpp"
#include "syscalls/types/ioctl/ioctl_block.hpp"
#include "syscalls/types/ioctl/ioctl_console.hpp"
#include "syscalls/types/ioctl/ioctl_counter.hpp"
#include "syscalls/types/ioctl/ioctl_device.hpp"
#include "syscalls/types/ioctl/ioctl_file.hpp"
#include "syscalls/types/ioctl/ioctl_gpio.hpp"
#include "syscalls/types/ioctl/ioctl_hdio.hpp"
#include "syscalls/types/ioctl/ioctl_input.hpp"
#include "syscalls/types/ioctl/ioctl_kvm.hpp"
#include "syscalls/types/ioctl/ioctl_lirc.hpp"
#include "syscalls/types/ioctl/ioctl_mapper.hpp"
#include "syscalls/types/ioctl/ioctl_mtd.hpp"
#include "syscalls/types/ioctl/ioctl_names.hpp"
#include "syscalls/types/ioctl/ioctl_process.hpp"
#include "syscalls/types/ioctl/ioctl_ptp.hpp"
#include "syscalls/types/ioctl/ioctl_rtc.hpp"
#include "syscalls/types/ioctl/ioctl_scsi.hpp"
#include "syscalls/types/ioctl/ioctl_socket.hpp"
#include "syscalls/types/ioctl/ioctl_tee.hpp"
#include "syscalls/types/ioctl/ioctl_tty.hpp"
#include "syscalls/types/ioctl/ioctl_userfault.hpp"
#include "syscalls/types/video/video.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kDirectionNames[] = {{0, "_IOC_NONE"}, {2, "_IOC_READ"}, {1, "_IOC_WRITE"}};
constexpr ConstantSet kDirections = flag_set("_IOC_???", kDirectionNames);

Value parts_of(Decoder& decoder, uint32_t command) {
  std::span<Value> args = decoder.arena().array<Value>(4);
  args[0] = Decoder::named(command >> 30, kDirections);
  args[1] = Decoder::number(command >> 8 & 0xff, Show::Hex);
  args[2] = Decoder::number(command & 0xff, Show::Hex);
  args[3] = Decoder::number(command >> 16 & 0x3fff, Show::Hex);
  return {Form{"_IOC", args, decoder.arena().make(Decoder::number(command, Show::Hex, 4))}, {}};
}

/// Every subject that has rows.
constexpr const IoctlRows* kSubjects[] = {&kTtyIoctls, &kFileIoctls,   &kBlockIoctls,    &kSocketIoctls,
                                         &kRtcIoctls, &kDeviceIoctls, &kUserfaultIoctls, &kHdioIoctls,
                                         &kProcessIoctls, &kConsoleIoctls, &kInputIoctls,
                                         &kScsiIoctls, &kLircIoctls, &kMtdIoctls, &kPtpIoctls,
                                         &kGpioIoctls, &kCounterIoctls, &kVideoIoctls, &kKvmIoctls,
                                         &kMapperIoctls, &kTeeIoctls, &kBtrfsIoctls};

// -- objects of commands without a row: bytes, as many as the command encodes ---------------------- Types with
// commands that are known one by one: others are shown as a number.
constexpr uint8_t kKnownTypes[] = {0x03, 0x12, 0x15, 0x21, 0x22, 0x24, 0x3d, 0x3e, 0x45, 0x49, 0x4b, 0x4c,
                                   0x4d, 0x4f, 0x52, 0x54, 0x56, 0x57, 0x58, 0x66, 0x69, 0x6f, 0x70, 0x75,
                                   0x89, 0x8a, 0x94, 0xa4, 0xaa, 0xab, 0xae, 0xb4, 0xb7, 0xfd, 0xff};

uint32_t command_of(Decoder& decoder) { return static_cast<uint32_t>(decoder.call().regs[1]); }

/// The bytes that the command's size says, if structures are shown in full; else the number.
Value bytes_or_number(Decoder& decoder, uint64_t bits) {
  uint64_t size = command_of(decoder) >> 16 & 0x3fff;
  Value number = Decoder::number(bits, Show::Hex, static_cast<uint8_t>(pointer_bytes(decoder.abi())));
  if (!decoder.full() || bits == 0 || size == 0) return number;
  Value value = decoder.buffer(Addr{bits}, size, TextKind::Binary);
  return std::holds_alternative<Text>(value.is) ? value : number;
}
Value decode_written(Decoder& decoder, uint64_t bits, size_t) { return bytes_or_number(decoder, bits); }
Value decode_read(Decoder& decoder, uint64_t bits, size_t) {
  bool later = decoder.phase() == Phase::Enter && decoder.full();
  return later ? Value{Pending{}, {}} : bytes_or_number(decoder, bits);
}
constexpr ArgType at_both_ends(CustomDecode decode, bool shows_both) {
  ArgType type = even_on_failure(arg("argp", custom(decode), Direction::InOut));
  type.shows_both = shows_both;
  return type;
}
constexpr CommandRow kWritten = command(0, kUnsignedResult, arg("argp", custom(decode_written)));
constexpr CommandRow kRead = command(0, kUnsignedResult, at_both_ends(decode_read, false));
constexpr CommandRow kBoth = command(0, kUnsignedResult, at_both_ends(decode_written, true));

/// Commands of disks that strace 7.2 does not follow in 32-bit programs: all but HDIO_GETGEO and HDIO_DRIVE_CMD.
bool is_of_64_bits(uint32_t command) {
  constexpr uint32_t kHdioType = 0x03, kGeometry = 0x301, kDriveCommand = 0x31f;
  return command >> 8 == kHdioType && command != kGeometry && command != kDriveCommand;
}

const CommandRow* find_row(const Call& call) {
  uint32_t command = static_cast<uint32_t>(call.regs[1]);
  if (call.abi == Abi::I386 && is_of_64_bits(command)) return nullptr;
  for (const IoctlRows* subject : kSubjects)
    if (const CommandRow* row = subject->find(command)) return row;
  constexpr uint32_t kSizeBits = 0x3fff << 16;
  for (const IoctlRows* subject : {&kSizedIoctls, &kSizedInputIoctls})
    if (const CommandRow* row = subject->find(command & ~kSizeBits)) return row;
  if (std::ranges::binary_search(kKnownTypes, static_cast<uint8_t>(command >> 8))) return nullptr;
  constexpr const CommandRow* kByDirection[] = {nullptr, &kWritten, &kRead, &kBoth};
  return kByDirection[command >> 30];
}

}  // namespace

bool is_asked(Decoder& decoder, Addr) { return decoder.phase() == Phase::Enter; }
bool is_answered(Decoder& decoder, Addr) { return decoder.phase() == Phase::Exit && decoder.call().error == 0; }

constinit const CommandTable kIoctlTable = {1, 2, {}, 0xffffffff, find_row};

const CommandRow* IoctlRows::find(uint32_t command) const {
  auto row = std::ranges::lower_bound(rows, command, {}, &CommandRow::command);
  return row != rows.end() && row->command == command ? &*row : nullptr;
}

std::vector<uint32_t> ioctl_commands() {
  std::vector<uint32_t> commands;
  for (const IoctlRows* subject : kSubjects)
    for (const CommandRow& row : subject->rows) commands.push_back(static_cast<uint32_t>(row.command));
  for (uint32_t size : kProcessInfoSizes) commands.push_back(kProcessInfo | size << 16);
  return commands;
}

std::span<const uint8_t> sized_ioctl_types() {
  static constexpr uint8_t kTypes[] = {'E'};  // the other one's sizes are known: kProcessInfoSizes
  return kTypes;
}

Value ioctl_command(Decoder& decoder, uint64_t bits) {
  uint32_t command = static_cast<uint32_t>(bits);
  Value named = ioctl_name(decoder, command);
  return named.absent() ? parts_of(decoder, command) : named;
}

}  // namespace strut
