#include "ptrace/breakpoints/traps.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/blocked_trap.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/move_on.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {
namespace {

/// The longest wait for threads to be stopped: threads that sleep in the kernel cannot be, nor do they run code.
constexpr uint64_t kPatience_ns = 20'000'000;

/// Raised by the instruction itself, not sent by a process.
bool is_own_fault(Tid tid) {
  siginfo_t info;
  return read_siginfo(tid, info) && fault_of(info).has_value();
}

/// SIGILL and SIGFPE name the instruction's address, which is not the slot's to the target.
void correct_fault_address(Tid tid, uint64_t in_slot, uint64_t home) {
  siginfo_t info;
  if (!read_siginfo(tid, info) || reinterpret_cast<uint64_t>(info.si_addr) != in_slot) return;
  info.si_addr = reinterpret_cast<void*>(home);
  write_siginfo(tid, info);
}

/// A stop that says nothing of the instruction, and comes again where it is asked for.
bool is_stop_on_request(const Stop& stop) {
  return std::holds_alternative<TrapStop>(stop) || std::holds_alternative<GroupStop>(stop);
}

/// Single-steps the thread, with all signals blocked that can be; returns the result. An earlier pending stop comes
/// after that. All stops are taken except other threads'.
std::optional<Waited> step(Tid tid) {
  std::optional<Waited> stepped;
  auto blocked = read_blocked(tid);
  write_blocked(tid, ~kTrap);
  bool stops_again = false;
  do {
    if (!restart(tid, Restart::ForAStep)) return std::nullopt;
    stepped = wait_unless_dead(tid);
  } while (stepped && is_stop_on_request(classify(stepped->status)) && (stops_again = true));
  if (stepped && is_of_another_thread(classify(stepped->status))) return stepped;
  take(tid);
  if (blocked) write_blocked(tid, *blocked);
  if (stops_again) interrupt(tid);
  return stepped;
}

/// Whether a thread is in the middle of a call: it can make no other one there, and its registers are not final yet.
bool is_in_the_middle(Tid tid, const Stop& stop) {
  if (std::holds_alternative<EventStop>(stop)) return true;
  SyscallInfo info{};
  return std::holds_alternative<SyscallStop>(stop) && read_syscall_info(tid, info) &&
         info.op == PTRACE_SYSCALL_INFO_ENTRY;
}

}  // namespace

/// int3 leaves the thread behind it (SDM, volume 3, 6.15, "#BP").
Traps::Cause Traps::cause_of(ProbedThread& thread, AllRegisters& registers) {
  bool is_known = std::exchange(thread.is_at_int3, false);
  if (thread.own_trap) return write_siginfo(thread.tid, *std::exchange(thread.own_trap, std::nullopt)), Cause::Again;
  if (!read_all_registers(thread.tid, registers)) return Cause::Passed;
  AddressSpace& space = *thread.process->space;
  if (std::exchange(thread.is_settled, false)) {
    registers[kFlags] &= ~kResumeFlag;
    return space.at(registers[kRip]) ? Cause::Hit : Cause::Passed;
  }
  uint64_t home = registers[kRip] - 1;
  Breakpoint* breakpoint = space.at(home);
  // A thread in the middle of an instruction has trapped; after a short one the cause may also be a sent signal.
  bool has_trapped = is_known || (breakpoint && breakpoint->displaced && breakpoint->displaced->length > 1);
  siginfo_t info;
  if (!has_trapped && (!read_siginfo(thread.tid, info) || !is_of_int3(info))) return Cause::Foreign;
  if (!breakpoint && !space.was_removed(home)) return Cause::Foreign;
  registers[kRip] = home;
  thread.is_trapped = true;
  restore_blocked_trap(thread, others_);
  if (breakpoint) return Cause::Hit;
  move_on(thread, registers);
  return Cause::Passed;
}

void Traps::settle(ProbedThread& thread, const Waited& waited) {
  Stop stop = classify(waited.status);
  auto* signal = std::get_if<SignalStop>(&stop);
  if (!signal || signal->signal != SIGTRAP || !thread.process || thread.is_settled) return;
  AllRegisters registers;
  Cause cause = cause_of(thread, registers);
  if (cause == Cause::Foreign) return;
  // The owner handles it as a hit, whether the breakpoint is still there then or not.
  thread.is_settled = cause == Cause::Passed || move_on(thread, registers);
}

bool Traps::go_over(ProbedThread& thread, AllRegisters& registers, const Displacement& ask) {
  uint64_t home = registers[kRip];
  if (!thread.process->guard_was_tried) install_guard(thread);
  if (do_watched_call(thread, registers)) return move_on(thread, registers);
  Breakpoint* breakpoint = thread.process->space->at(home);
  if (breakpoint && !breakpoint->displaced)
    breakpoint->displaced = std::make_shared<Displaced>(breakpoint->tag == kWatchedCallTag ? watched_call_displaced()
                                                                                           : ask(breakpoint->tag));
  if (breakpoint) return displacer_.go_over(thread, *breakpoint, registers) || step_alone(thread, home, registers);
  move_on(thread, registers);
  return true;
}

/// Takes the breakpoint away for one step, while the others that could pass it are held. A call may sleep until one of
/// the others wakes it: its breakpoint goes for good.
bool Traps::step_alone(ProbedThread& thread, uint64_t home, AllRegisters& registers) {
  AddressSpace& space = *thread.process->space;
  HostBreakpoint again{Addr{home}, space.at(home)->tag, Addr{space.at(home)->semaphore}};
  auto displaced = space.at(home)->displaced;
  bool is_call = Displacer::enters_kernel(*displaced);
  if (!is_call) hold_others(thread);
  space.remove({&again.at, 1});
  registers[kRip] = home;
  move_on(thread, registers);
  if (is_call) return true;
  std::optional<Waited> stepped = step(thread.tid);
  space.insert({&again, 1});
  if (Breakpoint* breakpoint = space.at(home)) breakpoint->displaced = displaced;
  Stop stop = stepped ? classify(stepped->status) : Stop{TrapStop{}};
  auto* signal = std::get_if<SignalStop>(&stop);
  if (!stepped || (signal && signal->signal == SIGTRAP)) return true;
  waiting_.push_back(*stepped);
  return false;
}

/// Their stops wait to be handled, and they with them.
void Traps::hold_others(const ProbedThread& thread) {
  for (ProbedThread* held : others_(thread)) {
    Tid other = held->tid;
    auto is_this = [&](const Waited& waited) { return waited.tid == other; };
    if (std::any_of(waiting_.begin(), waiting_.end(), is_this)) continue;
    interrupt(other);
    constexpr timespec kPause{0, 20'000};
    for (uint64_t until = monotonic_ns() + kPatience_ns; monotonic_ns() < until; ::nanosleep(&kPause, nullptr)) {
      auto waited = look_at(other, Usage::Omit);
      if (!waited) continue;
      settle(*held, *waited);
      take(other);
      waiting_.push_back(*waited);
      break;
    }
  }
}

void Traps::before_signal(ProbedThread& thread, int signal) {
  AllRegisters registers;
  if (thread.process->space->slots().empty() || !read_all_registers(thread.tid, registers)) return;
  uint64_t in_slot = registers[kRip];
  auto brought = Displacer::bring_home(thread, registers);
  if (brought == Displacer::Brought::WasElsewhere) return;
  bool is_before = brought == Displacer::Brought::BeforeIt;
  bool is_fault = is_before && signal != 0 && is_own_fault(thread.tid);  // a stop on request has SIGTRAP's siginfo, too
  if (is_fault) correct_fault_address(thread.tid, in_slot, registers[kRip]);
  // SIGSTOP cannot be handled, and does not move the thread.
  if (is_before && !is_fault && signal != SIGSTOP) is_before = !do_before_signal(thread, registers);
  write_all_registers(thread.tid, registers);
  if (!is_before) return;
  if (!is_fault) thread.note_fired(registers[kRip], registers[kRsp]);
  thread.calls_in_slot = false;
}

/// `registers` are those at home, which the thread does not have yet. False: the instruction is still to be done.
bool Traps::do_before_signal(ProbedThread& thread, AllRegisters& registers) {
  if (thread.calls_in_slot) return false;
  if (displacer_.do_at_home(thread, registers)) return true;
  AllRegisters stepped;
  if (!step_before_signal(thread) || !read_all_registers(thread.tid, stepped)) return false;
  bool is_done = Displacer::bring_home(thread, stepped) == Displacer::Brought::BehindIt;
  registers = stepped;
  return is_done;
}

/// The thread is stopped at a signal, which is delivered after the step: the stop that ends it is another signal, which
/// it replaces.
bool Traps::step_before_signal(ProbedThread& thread) {
  siginfo_t info;
  if (!read_siginfo(thread.tid, info)) return false;
  auto stepped = step(thread.tid);
  Stop stop = stepped ? classify(stepped->status) : Stop{TrapStop{}};
  auto* signal = std::get_if<SignalStop>(&stop);
  if (stepped && !signal) waiting_.push_back(*stepped);
  if (!signal) return false;
  write_siginfo(thread.tid, info);
  // Nothing else can come but a fault of the instruction, which does that again.
  if (signal->signal == SIGSTOP) ::syscall(SYS_tgkill, raw(thread.process->pid), raw(thread.tid), SIGSTOP);
  return signal->signal == SIGTRAP;
}

void Traps::before_call(ProbedThread& thread) {
  AllRegisters registers;
  if (!std::exchange(thread.calls_in_slot, false) || !read_all_registers(thread.tid, registers)) return;
  if (Displacer::bring_home(thread, registers) != Displacer::Brought::WasElsewhere)
    write_all_registers(thread.tid, registers);
}

bool Traps::is_trapping(Tid tid) {
  auto status = process_status(tid);
  // An int3's cannot be blocked (signal(7)); one that another process sent can, and then the thread may run for long.
  return status && (status->pending & ~status->blocked & kTrap) != 0;
}

bool Traps::may_be_left(ProbedThread& thread, const Stop& stop, int& signal) {
  restore_untraced(thread);
  AllRegisters registers;
  if (!read_all_registers(thread.tid, registers)) return true;
  signal = pending_signal(stop);
  siginfo_t info;
  bool is_behind = thread.process->space->was_removed(registers[kRip] - 1), stops_again = false;
  if (std::exchange(thread.is_settled, false) || (signal == SIGTRAP && stands_at_breakpoint(thread.tid))) {
    signal = 0;
  } else if (is_behind && signal == SIGTRAP && read_siginfo(thread.tid, info) && is_of_int3(info)) {
    signal = 0;
    registers[kRip]--;
    move_on(thread, registers);
  } else {
    stops_again = is_behind && is_trapping(thread.tid);
  }
  if (stops_again || (thread.process->watched && !has_no_pending_hit(thread))) {
    restart(thread.tid, Restart::Freely, signal);
    return false;
  }
  if (Displacer::bring_home(thread, registers) != Displacer::Brought::WasElsewhere)
    write_all_registers(thread.tid, registers);
  if (!is_in_the_middle(thread.tid, stop)) return true;
  interrupt(thread.tid);
  restart(thread.tid, Restart::Freely);
  return false;
}

}  // namespace strut
