#include "core/types/ioctl.hpp"

#include <algorithm>

#include "core/call.hpp"
#include "core/decoder.hpp"
#include "core/types/ioctl_block.hpp"
#include "core/types/ioctl_file.hpp"
#include "core/types/ioctl_names.hpp"
#include "core/types/ioctl_tty.hpp"

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
constexpr const IoctlRows* kSubjects[] = {&kTtyIoctls, &kFileIoctls, &kBlockIoctls};

const CommandRow* find_row(const Call& call) {
  uint32_t command = static_cast<uint32_t>(call.regs[1]);
  for (const IoctlRows* subject : kSubjects)
    if (const CommandRow* row = subject->find(command)) return row;
  return nullptr;
}

}  // namespace

constinit const CommandTable kIoctlTable = {1, 2, {}, 0xffffffff, find_row};

const CommandRow* IoctlRows::find(uint32_t command) const {
  auto row = std::ranges::lower_bound(rows, command, {}, &CommandRow::command);
  return row != rows.end() && row->command == command ? &*row : nullptr;
}

Value decode_ioctl_command(Decoder& decoder, uint64_t bits, size_t) {
  uint32_t command = static_cast<uint32_t>(bits);
  Value named = ioctl_name(decoder, command);
  return named.absent() ? parts_of(decoder, command) : named;
}

}  // namespace strut
