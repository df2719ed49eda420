#include "ptrace/traps.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include <time.h>

#include "core/clock.hpp"
#include "core/proc/proc_file.hpp"
#include "ptrace/control.hpp"

namespace strut {
namespace {

/// How long others are waited for that are to be held: those who sleep in the kernel cannot be, nor do they run code.
constexpr uint64_t kPatience_ns = 20'000'000;

/// Raised by the instruction itself, not sent by somebody.
bool is_own_fault(Tid tid, int signal) {
  siginfo_t info;
  bool may_be = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP;
  return may_be && read_siginfo(tid, info) && info.si_code > 0;
}

/// Lets it do one instruction; what it came to. A stop that it was told to make before goes ahead of that.
std::optional<Waited> step(Tid tid) {
  std::optional<Waited> stepped;
  do {
    if (!restart(tid, Restart::ForAStep)) return std::nullopt;
    while (!(stepped = take_next_of(tid)) && errno == EINTR) {
    }
  } while (stepped && std::holds_alternative<TrapStop>(classify(stepped->status)));
  return stepped;
}

/// Whether SIGTRAP waits for this very thread ("SigPnd:" of /proc/TID/status): it has hit a breakpoint and not stopped
/// for it yet.
bool has_trap_pending(Tid tid) {
  auto text = read_proc_file(proc_path(raw(tid), "status"), 64 * 1024);
  size_t at = text ? text->find("\nSigPnd:\t") : std::string::npos;
  if (at == std::string::npos) return false;
  return (std::strtoull(text->c_str() + at + 9, nullptr, 16) >> (SIGTRAP - 1) & 1) != 0;
}

/// Whether a thread stands in the middle of a call: it can make no other one there, and what its registers say is not
/// over yet.
bool is_in_the_middle(Tid tid, const Stop& stop) {
  if (std::holds_alternative<EventStop>(stop)) return true;
  SyscallInfo info{};
  return std::holds_alternative<SyscallStop>(stop) && read_syscall_info(tid, info) &&
         info.op == PTRACE_SYSCALL_INFO_ENTRY;
}

}  // namespace

/// int3 leaves the thread behind it (SDM, volume 3, 6.15, "#BP").
Traps::Cause Traps::cause_of(ProbedThread& thread, AllRegisters& registers) {
  if (!read_all_registers(thread.tid, registers)) return Cause::Passed;
  uint64_t home = registers[kRip] - 1;
  AddressSpace& space = *thread.process->space;
  Breakpoint* breakpoint = space.at(home);
  // Whoever stands in the middle of an instruction has trapped; behind a short one it may also be a signal that
  // somebody sent.
  bool has_trapped = breakpoint && breakpoint->displaced && breakpoint->displaced->length > 1;
  siginfo_t info;
  if (!has_trapped && (!read_siginfo(thread.tid, info) || info.si_code != SI_KERNEL)) return Cause::Foreign;
  if (!breakpoint && !space.was_removed(home)) return Cause::Foreign;
  registers[kRip] = home;
  if (breakpoint) return Cause::Hit;
  write_all_registers(thread.tid, registers);
  return Cause::Passed;
}

bool Traps::go_over(ProbedThread& thread, AllRegisters& registers, const Displacement& ask) {
  uint64_t home = registers[kRip];
  Breakpoint* breakpoint = thread.process->space->at(home);
  if (breakpoint && !breakpoint->displaced) breakpoint->displaced = std::make_shared<Displaced>(ask(breakpoint->tag));
  if (breakpoint) return displacer_.go_over(thread, *breakpoint, registers) || step_alone(thread, home, registers);
  write_all_registers(thread.tid, registers);
  return true;
}

/// Takes the breakpoint away for one step, while the others that could pass it are held. A call may sleep until one of the others wakes it: its breakpoint goes for good.
bool Traps::step_alone(ProbedThread& thread, uint64_t home, AllRegisters& registers) {
  AddressSpace& space = *thread.process->space;
  HostBreakpoint again{Addr{home}, space.at(home)->tag};
  auto displaced = space.at(home)->displaced;
  bool is_call = Displacer::enters_kernel(*displaced);
  if (!is_call) hold_others(thread);
  space.remove({&again.at, 1});
  registers[kRip] = home;
  write_all_registers(thread.tid, registers);
  if (is_call) return true;
  auto blocked = read_blocked(thread.tid);
  write_blocked(thread.tid, ~(uint64_t{1} << (SIGTRAP - 1)));
  std::optional<Waited> stepped = step(thread.tid);
  if (blocked) write_blocked(thread.tid, *blocked);
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
  for (Tid other : others_(thread)) {
    auto is_this = [&](const Waited& waited) { return waited.tid == other; };
    if (std::any_of(waiting_.begin(), waiting_.end(), is_this)) continue;
    interrupt(other);
    constexpr timespec kPause{0, 20'000};
    for (uint64_t until = monotonic_ns() + kPatience_ns; monotonic_ns() < until; ::nanosleep(&kPause, nullptr)) {
      auto waited = look_at(other, Usage::Omit);
      if (!waited) continue;
      take(other);
      waiting_.push_back(*waited);
      break;
    }
  }
}

void Traps::before_signal(ProbedThread& thread, int signal) {
  AllRegisters registers;
  if (thread.process->space->slots().empty() || !read_all_registers(thread.tid, registers)) return;
  auto brought = Displacer::bring_home(thread, registers);
  if (brought != Displacer::Brought::WasElsewhere) write_all_registers(thread.tid, registers);
  if (brought != Displacer::Brought::BeforeIt) return;
  if (!is_own_fault(thread.tid, signal)) thread.note_fired(registers[kRip], registers[kRsp]);
  thread.calls_in_slot = false;
}

void Traps::before_call(ProbedThread& thread) {
  AllRegisters registers;
  if (!std::exchange(thread.calls_in_slot, false) || !read_all_registers(thread.tid, registers)) return;
  if (Displacer::bring_home(thread, registers) != Displacer::Brought::WasElsewhere)
    write_all_registers(thread.tid, registers);
}

bool Traps::may_be_left(ProbedThread& thread, const Stop& stop, int& signal) {
  AllRegisters registers;
  if (!read_all_registers(thread.tid, registers)) return true;
  signal = pending_signal(stop);
  siginfo_t info;
  if (signal == SIGTRAP && read_siginfo(thread.tid, info) && info.si_code == SI_KERNEL &&
      thread.process->space->was_removed(registers[kRip] - 1)) {
    signal = 0;
    registers[kRip]--;
    write_all_registers(thread.tid, registers);
  } else if (has_trap_pending(thread.tid)) {
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
