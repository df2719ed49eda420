// What a hosted thread stopped for, and how it goes on.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <time.h>

#include "core/clock.hpp"
#include "ptrace/call_number.hpp"
#include "ptrace/halt.hpp"
#include "ptrace/host.hpp"

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

}  // namespace

void PtraceProbeHost::handle_stop(Hosted& thread, const Stop& stop) {
  if (std::holds_alternative<SyscallStop>(stop)) return handle_call(thread);
  if (auto* signal = std::get_if<SignalStop>(&stop))
    return signal->signal == SIGTRAP ? handle_trap(thread) : handle_signal(thread, signal->signal);
  if (auto* event = std::get_if<EventStop>(&stop)) return handle_event(thread, event->event);
  if (std::holds_alternative<GroupStop>(stop)) {
    restart(thread.tid, Restart::Listening);
    return;
  }
  go_on(thread);
}

/// int3 leaves the thread behind it (SDM, volume 3, 6.15, "#BP").
void PtraceProbeHost::handle_trap(Hosted& thread) {
  AllRegisters registers;
  if (!read_all_registers(thread.tid, registers)) return go_on(thread);
  uint64_t home = registers[kRip] - 1;
  AddressSpace& space = *thread.process->space;
  Breakpoint* breakpoint = space.at(home);
  // Whoever stands in the middle of an instruction has trapped; behind a short one it may also be a signal that
  // somebody sent.
  if (breakpoint && breakpoint->displaced && breakpoint->displaced->length > 1) return hit(thread, home, registers);
  siginfo_t info;
  if (!read_siginfo(thread.tid, info) || info.si_code != SI_KERNEL) return handle_signal(thread, SIGTRAP);
  if (breakpoint) return hit(thread, home, registers);
  if (!space.was_removed(home)) return handle_signal(thread, SIGTRAP);
  registers[kRip] = home;  // it trapped before its breakpoint was removed
  write_all_registers(thread.tid, registers);
  go_on(thread);
}

void PtraceProbeHost::hit(Hosted& thread, uint64_t home, AllRegisters& registers) {
  AddressSpace& space = *thread.process->space;
  registers[kRip] = home;
  bool fired = thread.take_fired(home, registers[kRsp]);
  if (!fired && !leaving_) {
    counts_.hits++;
    Halt halt(thread, registers);
    observer_->at_breakpoint(halt, space.at(home)->tag);
  }
  Breakpoint* breakpoint = space.at(home);  // it may have been removed
  if (breakpoint && !breakpoint->displaced)
    breakpoint->displaced = std::make_shared<Displaced>(observer_->displaced(breakpoint->tag));
  if (!breakpoint)
    write_all_registers(thread.tid, registers);
  else if (!displacer_.go_over(thread, *breakpoint, registers))
    step_alone(thread, home, registers);
  go_on(thread);
}

/// Lets it do one instruction; what it came to. A stop that it was told to make before goes ahead of that.
std::optional<Waited> PtraceProbeHost::step(Tid tid) {
  std::optional<Waited> stepped;
  do {
    if (!restart(tid, Restart::ForAStep)) return std::nullopt;
    while (!(stepped = take_next_of(tid)) && errno == EINTR) {
    }
  } while (stepped && std::holds_alternative<TrapStop>(classify(stepped->status)));
  return stepped;
}

/// Takes the breakpoint away for one step, while the others that could pass it are held. False: the step did not come
/// to its end, and what it came to waits to be handled. A call may sleep until one of the others wakes it: its
/// breakpoint goes for good.
bool PtraceProbeHost::step_alone(Hosted& thread, uint64_t home, AllRegisters& registers) {
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
  if (stepped && !(signal && signal->signal == SIGTRAP)) return waiting_.push_back(*stepped), false;
  return true;
}

/// Their stops wait to be handled, and they with them.
void PtraceProbeHost::hold_others(const Hosted& thread) {
  for (auto& [tid, other] : threads_) {
    if (other.get() == &thread || other->process->space != thread.process->space) continue;
    auto is_this = [&](const Waited& waited) { return waited.tid == other->tid; };
    if (std::any_of(waiting_.begin(), waiting_.end(), is_this)) continue;
    interrupt(other->tid);
    constexpr timespec kPause{0, 20'000};
    for (uint64_t until = monotonic_ns() + kPatience_ns; monotonic_ns() < until; ::nanosleep(&kPause, nullptr)) {
      auto waited = look_at(other->tid, Usage::Omit);
      if (!waited) continue;
      take(other->tid);
      waiting_.push_back(*waited);
      break;
    }
  }
}

/// What the target is to see of itself, in its handler's arguments, knows no slots.
void PtraceProbeHost::handle_signal(Hosted& thread, int signal) {
  AllRegisters registers;
  if (!thread.process->space->slots().empty() && read_all_registers(thread.tid, registers)) {
    auto brought = Displacer::bring_home(thread, registers);
    if (brought != Displacer::Brought::WasElsewhere) write_all_registers(thread.tid, registers);
    if (brought == Displacer::Brought::BeforeIt && !is_own_fault(thread.tid, signal))
      thread.note_fired(registers[kRip], registers[kRsp]);
    if (brought == Displacer::Brought::BeforeIt) thread.calls_in_slot = false;
  }
  siginfo_t info;
  if (thread.process->is_told && !leaving_ && read_siginfo(thread.tid, info)) {
    Halt halt(thread);
    observer_->signal_arrives(halt, info);
  }
  go_on(thread, signal);
}

void PtraceProbeHost::handle_call(Hosted& thread) {
  SyscallInfo info{};
  if (!read_syscall_info(thread.tid, info)) return go_on(thread);  // it has been killed
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
    enter_call(thread, info);
  else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
    leave_call(thread, info);
  go_on(thread);
}

void PtraceProbeHost::enter_call(Hosted& thread, const SyscallInfo& info) {
  if (std::exchange(thread.calls_in_slot, false)) {
    AllRegisters registers;
    if (read_all_registers(thread.tid, registers) &&
        Displacer::bring_home(thread, registers) != Displacer::Brought::WasElsewhere)
      write_all_registers(thread.tid, registers);
  }
  HostedProcess& process = *thread.process;
  if (process.starts && process.is_told && !process.linker.contains(info.instruction_pointer)) {
    process.starts = false;
    observer_->linker_done(process.pid);
  }
  Call& call = thread.call;
  take_number(call, info);
  std::copy_n(info.entry.args, kRegisters, call.regs.begin());
  call.ip = info.instruction_pointer;
  call.pid = process.pid;
  call.tid = thread.tid;
  call.returned = false;
  call.error = 0;
  thread.is_inside = true;
  thread.maps_code = process.starts && maps_code(call);
  if (!request_.calls || !process.is_told) return;
  Halt halt(thread);
  observer_->call_entered(halt, call);
}

void PtraceProbeHost::leave_call(Hosted& thread, const SyscallInfo& info) {
  if (!std::exchange(thread.is_inside, false)) return;
  set_result(thread.call, info.exit.rval);
  if (std::exchange(thread.maps_code, false) && thread.call.error == 0) observer_->code_mapped(thread.process->pid);
  if (!request_.calls || !thread.process->is_told) return;
  Halt halt(thread);
  observer_->call_returned(halt, thread.call);
}

}  // namespace strut
