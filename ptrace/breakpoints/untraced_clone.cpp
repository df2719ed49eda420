#include "ptrace/breakpoints/untraced_clone.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <sched.h>
#include <sys/syscall.h>

#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/restarted_call.hpp"
#include "syscalls/call.hpp"

namespace strut {
namespace {

constexpr uint64_t kUntraced = CLONE_UNTRACED;
constexpr size_t kRbx = kGeneral[3];  // the first argument of i386's calls

/// The first member of struct clone_args (linux/sched.h). 0: it cannot be read, and the call will fail.
uint64_t flags_at(AddressSpace& space, uint64_t address) {
  uint64_t flags = 0;
  auto bytes = std::as_writable_bytes(std::span(&flags, 1));
  return space.read(Addr{address}, bytes).bytes == bytes.size() ? flags : 0;
}

bool write_flags(AddressSpace& space, uint64_t address, uint64_t flags) {
  return space.write(Addr{address}, std::as_bytes(std::span(&flags, 1)));
}

/// Which of the two a call is, if any.
std::optional<CloneCall> clone_of(const Call& call) {
  switch (call.effects().makes) {
    case Makes::ByArgument: return CloneCall::Clone;
    case Makes::ByMemory: return CloneCall::Clone3;
    default: return std::nullopt;
  }
}

std::optional<CloneCall> clone_of(uint64_t number) {
  if (number == SYS_clone) return CloneCall::Clone;
  if (number == SYS_clone3) return CloneCall::Clone3;
  return std::nullopt;
}

bool is_in_front_of_call(AddressSpace& space, const AllRegisters& registers) {
  constexpr std::array kSyscall{std::byte{0x0f}, std::byte{0x05}};
  std::array<std::byte, kCallInstructionBytes> code{};
  return space.read(Addr{registers[kRip]}, code).bytes == code.size() && code == kSyscall;
}

bool clear_in_register(Tid tid, size_t place) {
  AllRegisters registers;
  if (!read_all_registers(tid, registers)) return false;
  registers[place] &= ~kUntraced;
  return write_all_registers(tid, registers);
}

void restore(Tid tid, const ClearedFlag& flag, AddressSpace* space) {
  AllRegisters registers;
  if (flag.in_memory) {
    if (space) write_flags(*space, flag.address, flags_at(*space, flag.address) | kUntraced);
  } else if (read_all_registers(tid, registers)) {
    registers[flag.place] |= kUntraced;
    write_all_registers(tid, registers);
  }
}

}  // namespace

void before_clone(ProbedThread& thread, const AllRegisters& registers, CloneCall call) {
  uint64_t argument = registers[kCallArguments[0]];
  uint64_t flags = call == CloneCall::Clone ? argument : flags_at(*thread.process->space, argument);
  thread.untraced_clone.comes = (flags & kUntraced) != 0;
}

void note_clone_at_attach(ProbedThread& thread) {
  AllRegisters registers;
  if (!read_all_registers(thread.tid, registers)) return;
  bool is_inside = static_cast<int64_t>(registers[kOrigRax]) >= 0;
  bool is_made_again = is_inside && static_cast<int64_t>(registers[kRax]) == kRestartNoIntr;
  auto call = clone_of(is_made_again ? registers[kOrigRax] : registers[kRax]);
  if (call && (is_made_again || is_in_front_of_call(*thread.process->space, registers)))
    before_clone(thread, registers, *call);
}

void clear_untraced(ProbedThread& thread, const Call& call) {
  auto made = clone_of(call);
  if (!made || !thread.process) return;
  thread.untraced_clone.comes = false;
  uint64_t argument = call.regs[0];
  ClearedFlag flag{call.abi == Abi::I386 ? kRbx : kCallArguments[0], *made == CloneCall::Clone3, argument};
  AddressSpace& space = *thread.process->space;
  uint64_t flags = flag.in_memory ? flags_at(space, argument) : argument;
  if ((flags & kUntraced) == 0) return;
  bool is_cleared =
      flag.in_memory ? write_flags(space, argument, flags & ~kUntraced) : clear_in_register(thread.tid, flag.place);
  if (is_cleared) thread.untraced_clone.cleared = flag;
}

void restore_untraced(ProbedThread& thread) {
  if (auto flag = std::exchange(thread.untraced_clone.cleared, std::nullopt))
    restore(thread.tid, *flag, thread.process->space.get());
}

void restore_untraced_at_exit(ProbedThread& thread, int64_t result) {
  if (thread.untraced_clone.cleared && result == kRestartNoIntr) thread.untraced_clone.comes = true;
  restore_untraced(thread);
}

void restore_untraced_in_child(Tid child, const ClearedFlag& flag, AddressSpace* own_memory) {
  restore(child, flag, own_memory);
}

}  // namespace strut
