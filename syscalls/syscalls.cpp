#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "syscalls/argument_rules.hpp"
#include "syscalls/call.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/syscall.hpp"
#include "syscalls/types/bpf/bpf.hpp"
#include "syscalls/types/bpf/perf_event.hpp"
#include "syscalls/types/common/system.hpp"
#include "syscalls/types/fs/at_flags.hpp"
#include "syscalls/types/fs/dirents.hpp"
#include "syscalls/types/fs/fcntl.hpp"
#include "syscalls/types/fs/file_attr.hpp"
#include "syscalls/types/fs/file_handle.hpp"
#include "syscalls/types/fs/file_ops.hpp"
#include "syscalls/types/fs/file_times.hpp"
#include "syscalls/types/fs/fsnotify.hpp"
#include "syscalls/types/fs/mount.hpp"
#include "syscalls/types/fs/mount_ids.hpp"
#include "syscalls/types/fs/open_flags.hpp"
#include "syscalls/types/fs/quota.hpp"
#include "syscalls/types/fs/stat.hpp"
#include "syscalls/types/fs/statfs.hpp"
#include "syscalls/types/fs/statx.hpp"
#include "syscalls/types/fs/xattr.hpp"
#include "syscalls/types/io/aio.hpp"
#include "syscalls/types/io/epoll.hpp"
#include "syscalls/types/io/io_uring.hpp"
#include "syscalls/types/io/iovec.hpp"
#include "syscalls/types/io/poll.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"
#include "syscalls/types/ipc/ipc.hpp"
#include "syscalls/types/ipc/mq.hpp"
#include "syscalls/types/memory/memfd.hpp"
#include "syscalls/types/memory/memory.hpp"
#include "syscalls/types/memory/numa.hpp"
#include "syscalls/types/netlink/netlink.hpp"
#include "syscalls/types/process/clone.hpp"
#include "syscalls/types/process/credentials.hpp"
#include "syscalls/types/process/exec.hpp"
#include "syscalls/types/process/futex.hpp"
#include "syscalls/types/process/group_id.hpp"
#include "syscalls/types/process/keyctl.hpp"
#include "syscalls/types/process/landlock.hpp"
#include "syscalls/types/process/lsm.hpp"
#include "syscalls/types/process/new_namespaces.hpp"
#include "syscalls/types/process/personality.hpp"
#include "syscalls/types/process/prctl.hpp"
#include "syscalls/types/process/process.hpp"
#include "syscalls/types/process/ptrace_requests.hpp"
#include "syscalls/types/process/rseq.hpp"
#include "syscalls/types/process/sched.hpp"
#include "syscalls/types/process/seccomp.hpp"
#include "syscalls/types/process/thread_area.hpp"
#include "syscalls/types/process/wait.hpp"
#include "syscalls/types/signal/sigevent.hpp"
#include "syscalls/types/signal/siginfo.hpp"
#include "syscalls/types/signal/signal.hpp"
#include "syscalls/types/socket/msghdr.hpp"
#include "syscalls/types/socket/sockaddr.hpp"
#include "syscalls/types/socket/socket.hpp"
#include "syscalls/types/socket/socket_options.hpp"
#include "syscalls/types/time/time.hpp"
#include "syscalls/types/time/timex.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr SyscallDesc renamed(const char* name, SyscallDesc desc) {
  desc.name = name;
  return desc;
}

constexpr const char* kBareNames[kRegisters] = {"arg1", "arg2", "arg3", "arg4", "arg5", "arg6"};

/// x86-64's call made by x32 code: only its `count` registers are known, for the structures behind them are x86-64's.
constexpr SyscallDesc bare(const char* name, uint32_t classes, size_t count, Effects effects) {
  SyscallDesc desc = row(name, classes, kUnsignedResult);
  desc.effects = effects;
  desc.effects.transfer = {};
  for (size_t i = 0; i < count; i++) add(desc, hex(kBareNames[i]));
  return desc;
}

// -- descriptions -------------------------------------------------------------------------------
#define SYSCALL(nr, name, ...) constexpr SyscallDesc x64_##name = row(#name, __VA_ARGS__);
#include "syscalls/syscalls.inc"
#undef SYSCALL

#define SHARED(nr, name) constexpr const SyscallDesc& i386_##name = x64_##name;
#define RENAMED(nr, name, of) constexpr SyscallDesc i386_##name = renamed(#name, x64_##of);
#define SYSCALL(nr, name, ...) constexpr SyscallDesc i386_##name = row(#name, __VA_ARGS__);
#define SHARED_PART(nr, name)
#define PART(nr, name, ...) constexpr SyscallDesc i386_part_##name = row(#name, __VA_ARGS__);
#include "syscalls/syscalls_i386.inc"
#undef PART
#undef SHARED_PART
#undef SYSCALL
#undef RENAMED
#undef SHARED

#define SHARED(nr, name)
#define FOREIGN_SHARED(nr, name) constexpr SyscallDesc x32_foreign_##name = renamed(#name "#64", x64_##name);
#define FOREIGN(nr, name, count, ...)        \
  constexpr SyscallDesc x32_foreign_##name = \
      bare(#name "#64", x64_##name.classes __VA_ARGS__, count, x64_##name.effects);
#define SYSCALL(nr, name, ...) constexpr SyscallDesc x32_##name = row(#name, __VA_ARGS__);
#include "syscalls/syscalls_x32.inc"
#undef SYSCALL
#undef FOREIGN
#undef FOREIGN_SHARED
#undef SHARED

// -- tables -------------------------------------------------------------------------------------
constexpr auto kX64Slots = std::to_array<SyscallSlot>({
#define SYSCALL(nr, name, ...) {nr, &x64_##name},
#include "syscalls/syscalls.inc"
#undef SYSCALL
});
constexpr SyscallSlot kI386Rows[] = {
#define SHARED(nr, name) {nr, &i386_##name},
#define RENAMED(nr, name, of) {nr, &i386_##name},
#define SYSCALL(nr, name, ...) {nr, &i386_##name},
#define SHARED_PART(nr, name) {nr, &x64_##name},
#define PART(nr, name, ...) {nr, &i386_part_##name},
#include "syscalls/syscalls_i386.inc"
#undef PART
#undef SHARED_PART
#undef SYSCALL
#undef RENAMED
#undef SHARED
};
constexpr SyscallSlot kX32Rows[] = {
#define SHARED(nr, name) {nr, &x64_##name},
#define FOREIGN_SHARED(nr, name) {nr, &x32_foreign_##name},
#define FOREIGN(nr, name, count, ...) {nr, &x32_foreign_##name},
#define SYSCALL(nr, name, ...) {nr, &x32_##name},
#include "syscalls/syscalls_x32.inc"
#undef SYSCALL
#undef FOREIGN
#undef FOREIGN_SHARED
#undef SHARED
};

/// From this one on, of Linux 5.1, all ABIs have the same numbers (<asm/unistd_64.h>, unistd_32.h, unistd_x32.h).
constexpr uint32_t kFirstCommon = 424;
constexpr std::span kCommonSlots(std::ranges::lower_bound(kX64Slots, kFirstCommon, {}, &SyscallSlot::nr),
                                 kX64Slots.end());

template <size_t kCount>
constexpr auto with_common(const SyscallSlot (&rows)[kCount]) {
  std::array<SyscallSlot, kCount + kCommonSlots.size()> slots{};
  std::ranges::copy(kCommonSlots, std::ranges::copy(rows, slots.begin()).out);
  std::ranges::sort(slots, {}, &SyscallSlot::nr);
  return slots;
}
constexpr auto kI386Slots = with_common(kI386Rows);
constexpr auto kX32Slots = with_common(kX32Rows);

// -- checks of the rows ---------------------------------------------------------------------------
constexpr bool ascending(std::span<const SyscallSlot> slots) {
  for (size_t i = 1; i < slots.size(); i++)
    if (slots[i].nr <= slots[i - 1].nr) return false;
  return slots.back().nr < kSyscallLimit;
}
/// True if a length given by an argument names a number.
constexpr bool length_fits(const SyscallDesc& desc, const Type& type) {
  if (type.length.from != LengthFrom::Arg && type.length.from != LengthFrom::PointedBy) return true;
  if (type.length.index >= desc.count) return false;
  Kind kind = desc.args[type.length.index].type.kind;
  if (type.length.from == LengthFrom::PointedBy) return kind == Kind::Pointer || kind == Kind::Address;
  return kind == Kind::Number || kind == Kind::Look || kind == Kind::Custom;
}
/// One past the last register that the arguments take; an argument may name its register, later ones count on from it.
constexpr size_t registers_end(const SyscallDesc& desc, Abi abi) {
  size_t next = 0, end = 0;
  for (size_t i = 0; i < desc.count; i++) {
    const ArgType& arg = desc.args[i];
    if (arg.reg >= 0) next = static_cast<size_t>(arg.reg);
    bool pair = abi == Abi::I386 && arg.type.width == Width::B8 &&
                (has_width(arg.type.kind) || arg.type.kind == Kind::Custom);
    next += pair ? 2 : 1;
    end = std::max(end, next);
  }
  return end;
}
constexpr bool well_formed(std::span<const SyscallSlot> slots, Abi abi) {
  for (const SyscallSlot& slot : slots) {
    const SyscallDesc& desc = *slot.desc;
    if (registers_end(desc, abi) > kRegisters) return false;
    for (size_t i = 0; i < desc.count; i++)
      if (!desc.args[i].name || !length_fits(desc, desc.args[i].type)) return false;
  }
  return true;
}
static_assert(ascending(kX64Slots) && ascending(kI386Slots) && ascending(kX32Slots));
static_assert(well_formed(kX64Slots, Abi::X86_64));
static_assert(well_formed(kI386Slots, Abi::I386));
static_assert(well_formed(kX32Slots, Abi::X32));

// -- finding ----------------------------------------------------------------------------------------
using ByNumber = std::array<const SyscallDesc*, kSyscallLimit>;
constexpr ByNumber index_by_number(std::span<const SyscallSlot> slots) {
  ByNumber index{};
  for (const SyscallSlot& slot : slots) index[slot.nr] = slot.desc;
  return index;
}
constexpr ByNumber kByNumber[kAbiCount] = {index_by_number(kX64Slots), index_by_number(kI386Slots),
                                           index_by_number(kX32Slots)};

template <size_t kCount>
constexpr std::array<SyscallSlot, kCount> index_by_name(std::array<SyscallSlot, kCount> index) {
  std::sort(index.begin(), index.end(), [](const SyscallSlot& a, const SyscallSlot& b) {
    int order = std::string_view(a.desc->name).compare(b.desc->name);
    return order < 0 || (order == 0 && a.nr < b.nr);
  });
  return index;
}
constexpr auto kX64ByName = index_by_name(kX64Slots);
constexpr auto kI386ByName = index_by_name(kI386Slots);
constexpr auto kX32ByName = index_by_name(kX32Slots);

std::span<const SyscallSlot> by_name(Abi abi) {
  switch (abi) {
    case Abi::X86_64: return kX64ByName;
    case Abi::I386: return kI386ByName;
    case Abi::X32: return kX32ByName;
  }
  return {};
}

constexpr SyscallDesc unknown() {
  SyscallDesc desc = bare("", kNone, kRegisters, {});
  desc.result = kHexResult;
  return desc;
}
constexpr SyscallDesc kUnknown = unknown();

}  // namespace

std::span<const SyscallSlot> syscalls_of(Abi abi) {
  switch (abi) {
    case Abi::X86_64: return kX64Slots;
    case Abi::I386: return kI386Slots;
    case Abi::X32: return kX32Slots;
  }
  return {};
}

const SyscallDesc* find_syscall(Abi abi, uint32_t nr) {
  return nr < kFirstPart ? kByNumber[static_cast<size_t>(abi)][nr] : nullptr;
}

const SyscallDesc* find_part(uint32_t nr) {
  return nr >= kFirstPart && nr < kSyscallLimit ? kByNumber[static_cast<size_t>(Abi::I386)][nr] : nullptr;
}

const SyscallSlot* find_syscall(Abi abi, std::string_view name) {
  std::span<const SyscallSlot> slots = by_name(abi);
  auto at = std::lower_bound(slots.begin(), slots.end(), name, [](const SyscallSlot& slot, std::string_view wanted) {
    return std::string_view(slot.desc->name) < wanted;
  });
  return at != slots.end() && name == at->desc->name ? &*at : nullptr;
}

const SyscallDesc& unknown_syscall() { return kUnknown; }

std::string name_of(const Call& call) {
  if (call.desc != &kUnknown) return call.desc->name;
  char text[32];
  uint32_t nr = call.abi == Abi::X32 ? call.nr | kX32Bit : call.nr;
  // the kernel takes the number as a signed int
  std::snprintf(text, sizeof text, "syscall_%#llx", static_cast<long long>(static_cast<int32_t>(nr)));
  return text;
}

}  // namespace strut
