#include "ptrace/breakpoints/blocked_trap.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

#include <signal.h>

#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/traps.hpp"
#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {
namespace {

/// The mask of glibc's sigfillset(3): all but the two signals that it uses itself.
constexpr uint64_t kAll = ~(kNeverBlocked | bit_of(32) | bit_of(33));

/// True for a thread that is gone.
bool catches_traps(Tid tid) {
  auto status = process_status(tid);
  return !status || (status->caught & kTrap) != 0;
}

/// Whether it has run into an int3, as far as can be seen, and was not handled since.
bool stands_at_trap(Tid tid) {
  auto waited = look_at(tid, Usage::Omit);
  if (!waited) return Traps::is_trapping(tid);
  Stop stop = classify(waited->status);
  auto* signal = std::get_if<SignalStop>(&stop);
  return signal && signal->signal == SIGTRAP;
}

/// For the same process.
std::vector<ProbedThread*> others_at_trap(const ProbedThread& thread, const OtherThreads& others) {
  std::vector<ProbedThread*> found = others(thread);
  std::erase_if(found, [&](ProbedThread* other) { return other->process != thread.process; });
  if (!found.empty()) thread.process->traps_are_shared = true;
  std::erase_if(found, [](ProbedThread* other) { return !stands_at_trap(other->tid); });
  return found;
}

/// Whether a thread with this mask since its int3 blocked SIGTRAP before. nullopt: unknown.
std::optional<bool> blocked_before(const ProbedThread& thread, uint64_t now) {
  if (thread.known_mask && (*thread.known_mask & ~kTrap) == now) return (*thread.known_mask & kTrap) != 0;
  if ((kAll & ~(now | kTrap)) == 0) return true;
  return std::nullopt;
}

/// The action has been reset for this thread, or for one of the others that stand at an int3, too.
bool is_cause(const ProbedThread& thread, uint64_t now, const std::vector<ProbedThread*>& others) {
  if (others.empty()) return true;
  if (auto known = blocked_before(thread, now)) return *known;
  return now != 0 &&
         std::ranges::none_of(others, [](auto* other) { return (other->known_mask.value_or(0) & kTrap) != 0; });
}

}  // namespace

void note_blocked(ProbedProcess& process, uint64_t blocked) {
  if ((blocked & kTrap) == 0) return;
  if ((blocked & ~kTrap) == 0) process.blocks_trap_alone = true;
}

void note_change_of_mask(ProbedThread& thread, uint64_t how, uint64_t set) {
  if (!thread.known_mask) return;
  uint64_t before = *thread.known_mask;
  if (how == SIG_BLOCK) thread.known_mask = before | (set & ~kNeverBlocked);
  if (how == SIG_UNBLOCK) thread.known_mask = before & ~set;
  if (how == SIG_SETMASK) thread.known_mask = set & ~kNeverBlocked;
}

void restore_blocked_trap(ProbedThread& thread, const OtherThreads& others) {
  ProbedProcess& process = *thread.process;
  bool may_have_lost_it = std::exchange(thread.may_have_lost_trap, false), may_be_alone = process.blocks_trap_alone;
  thread.trap_was_blocked = false;
  auto now = read_blocked(thread.tid);
  if (!now) return;
  if (!process.guard) {  // not yet, or it cannot be had: the action is the kernel's, the mask the thread's own
    if (blocked_before(thread, *now).value_or(false)) write_blocked(thread.tid, *now | kTrap);
    return;
  }
  may_be_alone = may_be_alone || process.guard->program.handler > 1;
  bool is_reset = (*now != 0 || may_be_alone) && !catches_traps(thread.tid);
  if (is_reset) {
    thread.trap_was_blocked = is_cause(thread, *now, others_at_trap(thread, others));
    process.cause_is_awaited = !thread.trap_was_blocked;
    change_program_action(thread, process.guard->program);
    for (ProbedThread* other : others_at_trap(thread, others)) other->may_have_lost_trap = true;
  } else if (may_have_lost_it) {
    thread.trap_was_blocked = blocked_before(thread, *now).value_or(process.cause_is_awaited && *now != 0);
    if (thread.trap_was_blocked) process.cause_is_awaited = false;
  }
  thread.known_mask = *now | (thread.trap_was_blocked ? kTrap : 0);
  if (thread.trap_was_blocked) write_blocked(thread.tid, *thread.known_mask);
}

}  // namespace strut
