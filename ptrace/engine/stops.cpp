#include "ptrace/engine/stops.hpp"

#include <cerrno>
#include <csignal>

#include "base/clock.hpp"
#include "ptrace/engine/engine.hpp"
#include "ptrace/engine/patience.hpp"
#include "ptrace/requests/call_number.hpp"

namespace strut {

Result<void> Stops::handle(const Waited& waited) {
  Stop stop = classify(waited.status);
  bool is_dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
  TRY_VOID(engine_.lives().follow_exec(waited.tid, stop));
  Tracee* tracee = engine_.tracees().find(waited.tid);
  if (!tracee) tracee = TRY(engine_.lives().handle_unknown(waited.tid, is_dead));
  if (!tracee) return {};
  if (is_dead) {
    TRY_VOID(engine_.lives().handle_death(*tracee, stop, waited.status));
    return engine_.is_leaving() && engine_.tracees().all_stand() ? engine_.leaving().release_standing()
                                                                 : Result<void>{};
  }
  Caught caught = tracee->is_at_int3 ? Caught::AtOnce : Caught::Waiting;
  if (engine_.settings().follows_cpu)
    engine_.cpu().at_stop(waited.tid, monotonic_ns(), company_of(*tracee, engine_.tracees()), caught);
  note_vfork(*tracee, stop);
  if (engine_.is_leaving() || tracee->abandoned) return engine_.leaving().at_stop(*tracee, stop);
  return handle_stop(*tracee, stop, waited.system_time_ns);
}

Result<void> Stops::handle_stop(Tracee& tracee, const Stop& stop, uint64_t system_time_ns) {
  if (tracee.just_attached) {
    tracee.just_attached = false;
    SyscallInfo info{};
    if (read_syscall_info(tracee.tid, info)) engine_.observer().at_attach(tracee, info);
  }
  auto* signal = std::get_if<SignalStop>(&stop);
  if (signal && signal->signal == SIGTRAP && tracee.process) {
    bool is_access = tracee.process->watched && stands_at_breakpoint(tracee.tid);
    return is_access ? handle_access(tracee) : handle_trap(tracee);
  }
  if (!tracee.ticks.empty()) engine_.observer().at_ticks(tracee, nullptr);
  if (std::holds_alternative<SyscallStop>(stop)) return handle_syscall(tracee, system_time_ns);
  if (auto* event = std::get_if<EventStop>(&stop)) return handle_event(tracee, event->event, system_time_ns);
  if (signal) return handle_signal(tracee, signal->signal);
  if (auto* group = std::get_if<GroupStop>(&stop)) return handle_group_stop(tracee, group->signal);
  tracee.group_stopped = false;
  if (tracee.process && (tracee.process->space->size() != 0 || tracee.process->watched)) install_missing_guard(tracee);
  engine_.go_on(tracee);
  return {};
}

Result<void> Stops::handle_syscall(Tracee& tracee, uint64_t system_time_ns) {
  SyscallInfo info{};
  if (read_syscall_info(tracee.tid, info)) return handle_call(tracee, info, system_time_ns);
  if (errno == EIO)
    return fail(
        {0, "ptrace(PTRACE_GET_SYSCALL_INFO)", {}, "this kernel does not have it", "Linux 5.3 or newer is needed"});
  TRY_VOID(engine_.observer().at_unreadable_call(tracee));
  engine_.go_on(tracee);
  return {};
}

Result<void> Stops::handle_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) {
  bool enters = info.op == PTRACE_SYSCALL_INFO_ENTRY, exits = info.op == PTRACE_SYSCALL_INFO_EXIT;
  if (exits) restore_untraced_at_exit(tracee, info.exit.rval);
  if (enters && tracee.process) {
    engine_.probes().traps().before_call(tracee);
    if (tracee.process->starts && tracee.process->linker.is_left_by(info)) {
      tracee.process->starts = false;
      watch_calls(*tracee.process);
      engine_.observer().linker_done(tracee.pid);
    }
  }
  Resumption how = TRY(engine_.observer().at_call(tracee, info, system_time_ns));
  if (engine_.is_leaving()) return engine_.leaving().at_stop(tracee, SyscallStop{});  // the observer has ended the run
  if (enters && engine_.has_breakpoints()) clear_untraced(tracee, tracee.call);
  if (exits && tracee.process) {
    install_missing_guard(tracee);
    if (tracee.process->starts) tracee.process->space->raise_late();
    if (tracee.process->starts && !info.exit.is_error && maps_code(tracee.call))
      engine_.observer().code_mapped(tracee.pid);
  }
  if (enters || exits) engine_.cpu().at_call(tracee, engine_.tracees());
  engine_.go_on(tracee, how);
  return {};
}

Result<void> Stops::handle_trap(Tracee& tracee) {
  Traps& traps = engine_.probes().traps();
  AllRegisters registers;
  switch (traps.cause_of(tracee, registers)) {
    case Traps::Cause::Hit: break;
    case Traps::Cause::Passed:
      if (!tracee.ticks.empty()) engine_.observer().at_ticks(tracee, nullptr);
      if (tracee.place() == Place::Outside) engine_.cpu().at_call(tracee, engine_.tracees());
      return engine_.go_on(tracee), Result<void>{};
    case Traps::Cause::Again: return engine_.go_on(tracee, {SIGTRAP, 0}), Result<void>{};
    case Traps::Cause::Foreign:
      if (!tracee.ticks.empty()) engine_.observer().at_ticks(tracee, nullptr);
      return handle_signal(tracee, SIGTRAP);
  }
  if (!tracee.ticks.empty()) engine_.observer().at_ticks(tracee, &registers);
  bool has_fired = tracee.take_fired(registers[kRip], registers[kRsp]);
  uint64_t tag = tracee.process->space->at(registers[kRip])->tag;
  if (!has_fired && tag != kWatchedCallTag) TRY_VOID(engine_.observer().at_breakpoint(tracee, registers, tag));
  bool goes_on = traps.go_over(tracee, registers,
                               [&](uint64_t hit) { return engine_.observer().displaced(*tracee.process, hit); });
  if (!goes_on) return {};  // the result is among the waiting stops
  if (tracee.place() == Place::Outside) engine_.cpu().at_call(tracee, engine_.tracees());
  engine_.go_on(tracee);
  return {};
}

/// The signal is strut's own: it is not delivered.
Result<void> Stops::handle_access(Tracee& tracee) {
  tracee.is_at_int3 = false;
  MemoryHits hits = take_hits(tracee);
  engine_.probes().traps().before_signal(tracee, 0);  // a stack that begins in a slot would have no name
  if (!tracee.ticks.empty()) engine_.observer().at_ticks(tracee, nullptr);
  TRY_VOID(engine_.observer().at_access(tracee, hits));
  install_missing_guard(tracee);
  if (tracee.place() == Place::Outside) engine_.cpu().at_call(tracee, engine_.tracees());
  engine_.go_on(tracee);
  return {};
}

Result<void> Stops::handle_signal(Tracee& tracee, int signal) {
  if (tracee.process) engine_.probes().traps().before_signal(tracee, signal);
  if (signal == SIGSTOP && tracee.to_be_abandoned) return engine_.leaving().abandon(tracee);
  Delivery delivery = TRY(engine_.observer().at_signal(tracee, signal));
  if (delivery.then == Delivery::Then::IsAbandoned) return engine_.leaving().abandon(tracee);
  bool is_own_trap = delivery.signal == SIGTRAP && tracee.process;
  engine_.go_on(tracee, {is_own_trap ? before_own_trap(tracee) : delivery.signal, 0});
  return {};
}

Result<void> Stops::handle_group_stop(Tracee& tracee, int signal) {
  if (!tracee.group_stopped) TRY_VOID(engine_.observer().at_group_stop(tracee, signal));
  tracee.group_stopped = true;
  take(tracee.tid);
  restart(tracee.tid, Restart::Listening);
  return {};
}

Result<void> Stops::handle_event(Tracee& tracee, int event, uint64_t system_time_ns) {
  switch (event) {
    case PTRACE_EVENT_EXEC: return engine_.lives().handle_exec(tracee);
    case PTRACE_EVENT_SECCOMP: return handle_syscall(tracee, system_time_ns);
    case PTRACE_EVENT_EXIT:
      TRY_VOID(engine_.observer().at_end(tracee));
      tracee.move_to(Place::Ending);
      break;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE: TRY_VOID(engine_.lives().expect_child(tracee, event)); break;
    default: break;
  }
  engine_.go_on(tracee);
  return {};
}

}  // namespace strut
