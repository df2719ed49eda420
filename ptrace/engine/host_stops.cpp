// The causes of a hosted thread's stop, and its continuation.
#include <algorithm>
#include <csignal>
#include <utility>

#include "ptrace/engine/halt.hpp"
#include "ptrace/engine/host.hpp"
#include "ptrace/requests/call_number.hpp"

namespace strut {
void PtraceProbeHost::handle_stop(Hosted& thread, const Stop& stop) {
  auto* signal = std::get_if<SignalStop>(&stop);
  if (signal && signal->signal == SIGTRAP) return handle_trap(thread);
  report_ticks(thread);
  if (std::holds_alternative<SyscallStop>(stop)) return handle_call(thread);
  if (signal) return handle_signal(thread, signal->signal);
  if (auto* event = std::get_if<EventStop>(&stop)) return handle_event(thread, event->event);
  thread.is_listening = std::holds_alternative<GroupStop>(stop);
  if (thread.is_listening) {
    take(thread.tid);
    restart(thread.tid, Restart::Listening);
    return;
  }
  if (thread.process->space->size() != 0) install_missing_guard(thread);
  go_on(thread);
}

void PtraceProbeHost::handle_trap(Hosted& thread) {
  AllRegisters registers;
  switch (traps_.cause_of(thread, registers)) {
    case Traps::Cause::Hit: return hit(thread, registers);
    case Traps::Cause::Passed: report_ticks(thread); return go_on(thread);
    case Traps::Cause::Again: return go_on(thread, SIGTRAP);
    case Traps::Cause::Foreign: report_ticks(thread); return handle_signal(thread, SIGTRAP);
  }
}

/// Whatever it has stopped for: an interruption that has not come about is forgotten by the kernel then.
void PtraceProbeHost::report_ticks(Hosted& thread) {
  AllRegisters registers;
  if (thread.ticks.empty()) return;
  traps_.before_signal(thread, 0);  // a stack that begins in a slot would have no name
  if (!read_all_registers(thread.tid, registers)) return thread.ticks.clear();
  report_ticks(thread, registers);
  if (Samples::make_again(thread.tid, registers)) write_all_registers(thread.tid, registers);
}

void PtraceProbeHost::report_ticks(Hosted& thread, const AllRegisters& registers) {
  std::vector<uint32_t> ticks = std::exchange(thread.ticks, {});
  if (leaving_ || !thread.process->is_reported) return;
  bool is_in_call = static_cast<int64_t>(registers[kOrigRax]) >= 0;
  Halt halt(thread, registers);
  for (size_t clock = 0; clock < ticks.size(); clock++)
    if (ticks[clock] != 0) observer_->sampled(halt, clock, ticks[clock], is_in_call);
}

void PtraceProbeHost::hit(Hosted& thread, AllRegisters& registers) {
  report_ticks(thread, registers);
  bool fired = thread.take_fired(registers[kRip], registers[kRsp]);
  uint64_t tag = thread.process->space->at(registers[kRip])->tag;
  if (!fired && !leaving_ && tag != kWatchedCallTag) {
    counts_.hits++;
    Halt halt(thread, registers);
    observer_->at_breakpoint(halt, tag);
  }
  if (traps_.go_over(thread, registers, [this](uint64_t tag) { return observer_->displaced(tag); })) go_on(thread);
}

void PtraceProbeHost::handle_signal(Hosted& thread, int signal) {
  traps_.before_signal(thread, signal);
  siginfo_t info;
  if (thread.process->is_reported && !leaving_ && read_siginfo(thread.tid, info)) {
    Halt halt(thread);
    observer_->signal_arrives(halt, info);
  }
  go_on(thread, signal == SIGTRAP ? before_own_trap(thread) : signal);
}

std::vector<ProbedThread*> PtraceProbeHost::others_in(const ProbedThread& thread) const {
  std::vector<ProbedThread*> others;
  for (auto& [tid, other] : threads_)
    if (other.get() != &thread && other->process->space == thread.process->space) others.push_back(other.get());
  return others;
}

void PtraceProbeHost::handle_call(Hosted& thread) {
  SyscallInfo info{};
  if (!read_syscall_info(thread.tid, info)) return go_on(thread);  // it has been killed
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
    enter_call(thread, info);
    clear_untraced(thread, thread.call);
  }
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) leave_call(thread, info);
  if (info.op == PTRACE_SYSCALL_INFO_EXIT && thread.process->is_reported) install_missing_guard(thread);
  go_on(thread);
}

void PtraceProbeHost::enter_call(Hosted& thread, const SyscallInfo& info) {
  traps_.before_call(thread);
  ProbedProcess& process = *thread.process;
  if (process.starts && process.is_reported && process.linker.is_left_by(info)) {
    process.starts = false;
    watch_calls(process);
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
  if (!request_.calls || !process.is_reported) return;
  Halt halt(thread);
  observer_->call_entered(halt, call);
}

void PtraceProbeHost::leave_call(Hosted& thread, const SyscallInfo& info) {
  restore_untraced_at_exit(thread, info.exit.rval);
  if (!std::exchange(thread.is_inside, false)) return;
  set_result(thread.call, info.exit.rval);
  if (std::exchange(thread.maps_code, false) && thread.call.error == 0) observer_->code_mapped(thread.process->pid);
  if (!request_.calls || !thread.process->is_reported) return;
  Halt halt(thread);
  observer_->call_returned(halt, thread.call);
}

}  // namespace strut
