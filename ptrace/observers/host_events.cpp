// Passes the events of an engine's tracees to the observer of a probe host.
#include <csignal>
#include <utility>

#include <sys/syscall.h>

#include "procfs/process_status.hpp"
#include "ptrace/engine/halt.hpp"
#include "ptrace/observers/host.hpp"
#include "ptrace/requests/call_number.hpp"

namespace strut {
namespace {

/// Whether the tracee's process runs a program, and is not held for its memory alone.
bool is_reported(const Tracee& tracee) { return tracee.process && tracee.process->is_reported; }

}  // namespace

// -- stops ------------------------------------------------------------------------------------------------------------

Result<Resumption> PtraceProbeHost::at_call(Tracee& tracee, const SyscallInfo& info, uint64_t) {
  bool reports = request_.calls && is_reported(tracee);
  Call& call = tracee.call;
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
    note_entry(call, info);
    call.pid = tracee.pid;
    call.tid = tracee.tid;
    call.returned = false;
    call.error = 0;
    tracee.move_to(Place::Inside);
    Halt halt(tracee);
    if (reports) observer_->call_entered(halt, call);
  } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && tracee.place() == Place::Inside) {
    tracee.move_to(Place::Outside);
    set_result(call, info.exit.rval);
    Halt halt(tracee);
    if (reports) observer_->call_returned(halt, call);
  }
  return Resumption{};
}

Result<void> PtraceProbeHost::at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag) {
  engine_.probes().counts().hits++;
  Halt halt(tracee, registers);
  observer_->at_breakpoint(halt, tag);
  return {};
}

Result<void> PtraceProbeHost::at_access(Tracee& tracee, const MemoryHits& hits) {
  Halt halt(tracee);
  if (is_reported(tracee)) observer_->at_access(halt, hits.accesses, hits.lost);
  return {};
}

Result<Delivery> PtraceProbeHost::at_signal(Tracee& tracee, int signal) {
  siginfo_t info;
  if (is_reported(tracee) && read_siginfo(tracee.tid, info)) {
    Halt halt(tracee);
    observer_->signal_arrives(halt, info);
  }
  return Delivery{signal};
}

/// At a stop for any reason: the kernel drops a pending interruption then.
void PtraceProbeHost::at_ticks(Tracee& tracee, const AllRegisters* registers) {
  if (registers) return report_ticks(tracee, *registers);
  engine_.probes().traps().before_signal(tracee, 0);  // a stack that begins in a slot would have no name
  AllRegisters read;
  if (!read_all_registers(tracee.tid, read)) return tracee.ticks.clear();
  report_ticks(tracee, read);
  if (Samples::make_again(tracee.tid, read)) write_all_registers(tracee.tid, read);
}

void PtraceProbeHost::report_ticks(Tracee& tracee, const AllRegisters& registers) {
  std::vector<uint32_t> ticks = std::exchange(tracee.ticks, {});
  if (!is_reported(tracee)) return;
  bool is_in_call = static_cast<int64_t>(registers[kOrigRax]) >= 0;
  Halt halt(tracee, registers);
  for (size_t clock = 0; clock < ticks.size(); clock++)
    if (ticks[clock] != 0) observer_->sampled(halt, clock, ticks[clock], is_in_call);
}

// -- lives ------------------------------------------------------------------------------------------------------------

void PtraceProbeHost::at_child_event(Tracee& parent, Tid child) {
  if (!is_reported(parent)) return;
  auto status = process_status(child);
  Halt halt(parent);
  if (status && status->pid == parent.pid) observer_->thread_created(halt, child);
  else observer_->process_created(halt, Pid{raw(child)});
}

Result<void> PtraceProbeHost::at_birth(Tracee& child, Tid, const SyscallDesc*) {
  if (!is_reported(child) || engine_.is_leaving()) return {};
  Halt halt(child);
  observer_->thread_started(halt);
  return {};
}

Result<AfterExec> PtraceProbeHost::at_exec(Tracee& tracee) {
  if (launching_ == tracee.pid) {  // the call was made before the first stop
    launching_.reset();
    set_number(tracee.call, Abi::X86_64, SYS_execve);
    tracee.call.pid = tracee.pid;
    tracee.call.tid = tracee.tid;
    tracee.move_to(Place::Inside);
  }
  Halt halt(tracee);
  observer_->executed(halt);
  return AfterExec::Traced;
}

Result<void> PtraceProbeHost::at_end(Tracee& tracee) {
  if (!is_reported(tracee)) return {};
  Halt halt(tracee);
  observer_->thread_ends(halt, static_cast<int>(event_message(tracee.tid).value_or(0)));
  return {};
}

void PtraceProbeHost::process_gone(Pid pid, std::optional<int> status) {
  samples_.forget(pid);
  if (status && !engine_.is_leaving()) observer_->process_ended(pid, *status);
  if (launching_ == pid) launching_.reset();
  returns_ = true;
}

}  // namespace strut
