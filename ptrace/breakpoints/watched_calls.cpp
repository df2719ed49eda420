#include "ptrace/breakpoints/watched_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "procfs/maps.hpp"
#include "procfs/proc_file.hpp"
#include "ptrace/breakpoints/blocked_trap.hpp"
#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {
namespace {

constexpr size_t kKernelSetBytes = 8;
/// C libraries are smaller than this. Larger files are searched where no smaller one has a call: programs that are
/// linked statically, Go's.
constexpr uint64_t kLargeCode_bytes = 8 << 20;

bool is_clone(WatchedCall call) { return call == WatchedCall::Clone || call == WatchedCall::Clone3; }

void find_in(ProbedProcess& process, const Mapping& mapping, WatchedCalls& calls) {
  for (const CallPlace& place : process.call_places->in(*process.space, mapping)) {
    uint64_t address = raw(mapping.start) + place.offset;
    bool is_at_move = is_clone(place.call) && !place.may_have_prefix;
    calls[is_at_move ? address : address + CallPlace::kMoveBytes] = place.call;
  }
}

WatchedCalls find_watched_calls(ProbedProcess& process) {
  WatchedCalls calls;
  auto mappings = maps_of(process.pid);
  if (!mappings) return calls;
  auto look_through = [&](bool is_large) {
    for (const Mapping& mapping : *mappings)
      if (mapping.executable && mapping.inode != 0 &&
          (raw(mapping.end) - raw(mapping.start) >= kLargeCode_bytes) == is_large)
        find_in(process, mapping, calls);
  };
  look_through(false);
  bool has_actions = std::ranges::any_of(calls, [](auto& call) { return call.second == WatchedCall::Action; });
  if (!has_actions) look_through(true);
  return calls;
}

bool read_at(AddressSpace& space, uint64_t at, auto& what) {
  auto bytes = std::as_writable_bytes(std::span(&what, 1));
  return space.read(Addr{at}, bytes).bytes == bytes.size();
}

/// As the kernel would write for the thread: not to memory that is read-only to it.
bool copy_out(Tid tid, uint64_t at, const KernelAction& action) {
  iovec local{const_cast<KernelAction*>(&action), sizeof action}, remote{reinterpret_cast<void*>(at), sizeof action};
  return ::process_vm_writev(raw(tid), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(sizeof action);
}

/// The result of rt_sigaction(2) for SIGTRAP with these arguments.
int64_t answer_action(ProbedThread& thread, uint64_t action_at, uint64_t old_at) {
  ProbedProcess& process = *thread.process;
  KernelAction before = process.guard->program, wanted;
  if (action_at != 0) {
    if (!read_at(*process.space, action_at, wanted)) return -EFAULT;
    wanted.mask &= ~kNeverBlocked;
    change_program_action(thread, wanted);
  }
  return old_at == 0 || copy_out(thread.tid, old_at, before) ? 0 : -EFAULT;
}

void see_action(ProbedProcess& process, uint64_t action_at) {
  KernelAction action;
  if (action_at == 0 || !read_at(*process.space, action_at, action)) return;
  bool blocks_itself = (action.flags & SA_NODEFER) == 0;
  note_blocked(process, action.mask | (blocks_itself ? uint64_t{1} : 0));  // any other signal's bit
}

void forget_call(ProbedProcess& process, uint64_t address) {
  process.watched_calls.erase(address);
  Breakpoint* breakpoint = process.space->at(address);
  Addr at{address};
  if (breakpoint && breakpoint->tag == kWatchedCallTag) process.space->remove({&at, 1});
}

void see_mask(ProbedThread& thread, uint64_t address, const AllRegisters& registers) {
  ProbedProcess& process = *thread.process;
  uint64_t set = 0, how = registers[kCallArguments[0]], set_at = registers[kCallArguments[1]];
  if (set_at == 0 || !read_at(*process.space, set_at, set)) return;
  if (how != SIG_UNBLOCK && (set & kTrap) != 0) process.blocking_places.insert(address);
  bool is_kept = process.traps_are_shared && process.blocking_places.contains(address);
  if (thread.trap_was_blocked && !is_kept) return forget_call(process, address);
  if (how != SIG_UNBLOCK) note_blocked(process, set);
  note_change_of_mask(thread, how, set);
}

bool do_action(ProbedThread& thread, AllRegisters& registers) {
  auto argument = [&](size_t i) { return registers[kCallArguments[i]]; };
  bool is_valid = registers[kRax] == SYS_rt_sigaction && argument(3) == kKernelSetBytes;
  if (!is_valid) return false;
  if (static_cast<int>(argument(0)) != SIGTRAP) return see_action(*thread.process, argument(1)), false;
  registers[kRax] = static_cast<uint64_t>(answer_action(thread, argument(1), argument(2)));
  registers[kRip] += CallPlace::kCallBytes;
  registers[kGeneral[1]] = registers[kRip];  // %rcx and %r11, as the instruction leaves them
  registers[kGeneral[11]] = registers[kFlags];
  return true;
}

/// The `mov` that gives the call its number is done here.
bool go_to_clone(ProbedThread& thread, AllRegisters& registers, CloneCall call) {
  before_clone(thread, registers, call);
  const Breakpoint* breakpoint = thread.process->space->at(registers[kRip]);
  if (!breakpoint || breakpoint->original != CallPlace::kMove) return false;
  registers[kRax] = call == CloneCall::Clone ? SYS_clone : SYS_clone3;
  registers[kRip] += CallPlace::kMoveBytes;
  return true;
}

}  // namespace

void watch_calls(ProbedProcess& process) {
  process.watched_calls = find_watched_calls(process);
  if (!process.guard) std::erase_if(process.watched_calls, [](auto& found) { return !is_clone(found.second); });
  std::vector<HostBreakpoint> fresh;
  for (auto& [address, call] : process.watched_calls)
    if (!process.space->at(address)) fresh.push_back({Addr{address}, kWatchedCallTag});
  process.space->insert(fresh);
}

void install_missing_guard(ProbedThread& thread) {
  ProbedProcess& process = *thread.process;
  if (process.guard_was_tried) return;
  install_guard(thread);
  if (!process.starts) watch_calls(process);
}

bool do_watched_call(ProbedThread& thread, AllRegisters& registers) {
  ProbedProcess& process = *thread.process;
  auto found = process.watched_calls.find(registers[kRip]);
  if (found == process.watched_calls.end()) return false;
  switch (found->second) {
    case WatchedCall::Action: return process.guard && do_action(thread, registers);
    case WatchedCall::Clone: return go_to_clone(thread, registers, CloneCall::Clone);
    case WatchedCall::Clone3: return go_to_clone(thread, registers, CloneCall::Clone3);
    case WatchedCall::Mask: break;
  }
  if (process.guard) see_mask(thread, found->first, registers);
  return false;
}

Displaced watched_call_displaced() {
  Displaced displaced;
  displaced.way = Displaced::Way::OutOfLine;
  displaced.length = CallPlace::kCallBytes;
  displaced.is_system_call = true;
  displaced.bytes = {std::byte{0x0f}, std::byte{0x05}};
  return displaced;
}

}  // namespace strut
