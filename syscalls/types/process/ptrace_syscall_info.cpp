#include "syscalls/types/process/ptrace_syscall_info.hpp"

#include <algorithm>
#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/netlink/audit.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr Constant kSyscallInfoOpNames[] = {
    {0, "PTRACE_SYSCALL_INFO_NONE"}, {1, "PTRACE_SYSCALL_INFO_ENTRY"}, {2, "PTRACE_SYSCALL_INFO_EXIT"},
    {3, "PTRACE_SYSCALL_INFO_SECCOMP"},
};
constinit const ConstantSet kOps = enumeration("PTRACE_SYSCALL_INFO_???", kSyscallInfoOpNames);
enum Op : uint8_t { kEntry = 1, kExit, kSeccomp };

struct Info {
  uint8_t op, reserved;
  uint16_t flags;
  uint32_t arch;
  uint64_t ip, sp;
  union {
    struct {
      uint64_t nr, args[6];
      uint32_t return_data, reserved;
    } entry;
    struct {
      int64_t value;
      uint8_t is_error;
    } exit;
  };
};
static_assert(sizeof(Info) == 88);

/// -EPERM where the call failed, else the number.
Value returned_value(Decoder& decoder, int64_t value, bool is_error) {
  const char* name = is_error && value < 0 ? kErrnoNames.name_of(static_cast<uint64_t>(-value)) : nullptr;
  Value number = Decoder::number(static_cast<uint64_t>(value), Show::Signed);
  if (!name) return number;
  return {Alias{joined(decoder.arena(), {"-", name}), decoder.arena().make(number)}, {}};
}

/// Collects the fields that lie within the bytes that there are.
class SyscallInfoFields {
 public:
  SyscallInfoFields(Decoder& decoder, size_t bytes) : decoder_(decoder), bytes_(bytes) {}

  /// Adds a member that ends at `end` bytes if so many exist.
  void add(size_t end, std::string_view name, const Value& value) {
    if (end <= bytes_) fields_[count_++] = {name, value};
  }
  bool reaches(size_t end) const { return end <= bytes_; }
  Value value() { return decoder_.fields(std::span(fields_).first(count_)); }

 private:
  Decoder& decoder_;
  size_t bytes_;
  std::array<FieldValue, 8> fields_;
  size_t count_ = 0;
};

Value arguments(Decoder& decoder, const Info& info, size_t bytes) {
  size_t count = std::min<size_t>((bytes - 32) / 8, 6);
  std::span<Value> items = decoder.arena().array<Value>(count);
  for (size_t i = 0; i < count; i++) items[i] = Decoder::number(info.entry.args[i], Show::Hex);
  size_t shown = decoder.full() ? count : std::min(count, decoder.options().max_string_bytes);
  return {Array{items.first(shown), ArrayStyle::List, shown < count, {}}, {}};
}

Value entry_value(Decoder& decoder, const Info& info, size_t bytes) {
  SyscallInfoFields fields(decoder, bytes);
  fields.add(32, "nr", system_call_value(decoder.arena(), info.entry.nr, info.arch, decoder.abi()));
  if (fields.reaches(40)) fields.add(40, "args", arguments(decoder, info, bytes));
  if (info.op == kSeccomp) fields.add(84, "ret_data", Decoder::number(info.entry.return_data, Show::Unsigned, 4));
  return fields.value();
}

Value exit_value(Decoder& decoder, const Info& info, size_t bytes) {
  SyscallInfoFields fields(decoder, bytes);
  fields.add(32, "rval", returned_value(decoder, info.exit.value, info.exit.is_error != 0));
  fields.add(33, "is_error", Decoder::number(info.exit.is_error, Show::Unsigned, 1));
  return fields.value();
}

Value info_value(Decoder& decoder, Addr at, uint64_t bytes) {
  Info info{};
  size_t held = std::min<uint64_t>(bytes, sizeof info);
  if (held == 0) return Decoder::address(raw(at));
  if (!decoder.read_bytes(at, std::as_writable_bytes(std::span(&info, 1)).first(held))) return decoder.missing(at);
  SyscallInfoFields fields(decoder, held);
  fields.add(1, "op", Decoder::named(info.op, kOps, 1));
  if (info.reserved != 0) fields.add(2, "reserved", Decoder::number(info.reserved, Show::Hex, 1));
  if (info.flags != 0) fields.add(4, "flags", Decoder::number(info.flags, Show::Hex, 2));
  fields.add(8, "arch", Decoder::named(info.arch, kAuditArch));
  fields.add(16, "instruction_pointer", Decoder::address(info.ip));
  fields.add(24, "stack_pointer", Decoder::address(info.sp));
  if (fields.reaches(32)) {
    if (info.op == kEntry) fields.add(32, "entry", entry_value(decoder, info, held));
    if (info.op == kExit) fields.add(32, "exit", exit_value(decoder, info, held));
    if (info.op == kSeccomp) fields.add(32, "seccomp", entry_value(decoder, info, held));
  }
  return fields.value();
}

}  // namespace

// The result is the full size of the structure that was taken.
Value decode_syscall_info(Decoder& decoder, uint64_t at, size_t) {
  uint64_t room = decoder.arg(2);
  if (decoder.phase() == Phase::Exit)
    room = std::min(room, static_cast<uint64_t>(std::max<int64_t>(decoder.call().result, 0)));
  return info_value(decoder, Addr{at}, room);
}

}  // namespace strut
