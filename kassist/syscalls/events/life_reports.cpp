#include "kassist/syscalls/events/life_reports.hpp"

#include <sys/wait.h>

#include "base/clock.hpp"

namespace strut {

Result<void> LifeReports::forked(FollowedThread& parent, RecordView view) {
  const wire_record& record = view.header();
  std::string comm = RecordedContext::own_comm(view).value_or(parent.comm);
  Abi abi = parent.last_abi;
  Pid parent_pid = parent.pid;
  Tid parent_tid = parent.tid;
  FollowedThread& child = context_.threads.add(Tid{static_cast<int32_t>(record.birth.thread)},
                                               Pid{static_cast<int32_t>(record.birth.process)});
  child.comm = std::move(comm);
  child.last_abi = abi;
  if (context_.unwinder) context_.unwinder->forked(parent_pid, child.pid);
  const SyscallDesc* by = find_syscall(static_cast<Abi>(record.abi), record.nr);
  return context_.emit(child, record.at_ns, 0, AttachedEvent{false, 1, parent_tid, by});
}

Result<void> LifeReports::execed(const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  Tid tid{static_cast<int32_t>(record.tid)}, former{static_cast<int32_t>(record.program.former_thread)};
  FollowedThread* thread = context_.threads.find(former);
  if (!thread) thread = &context_.threads.meet(former, Pid{static_cast<int32_t>(record.tgid)});
  TRY_VOID(losses_.account(*thread, record));
  thread->program = new_program(entry);
  thread->replaced = true;
  if (former != tid) {
    TRY_VOID(calls_.report_held(*thread, nullptr));
    if (FollowedThread* leader = context_.threads.find(tid)) leader->note_number(record.nr);
    TRY_VOID(replace_leader(tid, former, record.at_ns));
  }
  thread = context_.threads.find(tid);
  thread->memory.move_to(tid);
  if (thread->at_sites) thread->at_sites->move_to(tid);
  bool is_command = context_.command.starting == tid;
  if (context_.request.functions && !is_command) TRY_VOID(context_.emit(*thread, record.at_ns, 0, ExecutedEvent{}));
  stacks_.program_replaced(thread->pid, record);
  context_.learn_comm(*thread, entry.record);
  if (is_command || !context_.request.detach_on.contains(thread->call.abi, thread->call.nr)) return {};
  return detach(*thread, record.at_ns);
}

Result<void> LifeReports::replace_leader(Tid leader, Tid former, uint64_t at_ns) {
  FollowedThread* superseded = context_.threads.find(leader);
  if (superseded) TRY_VOID(end_call(*superseded, at_ns));
  TRY_VOID(context_.emit(*context_.threads.find(former), at_ns, 0, RenamedEvent{leader}));
  std::unique_ptr<FollowedThread> gone = context_.threads.replace_leader(leader, former);
  if (!gone) return {};
  return context_.emit(*gone, at_ns, 0, SupersededEvent{former});
}

Result<void> LifeReports::end_call(FollowedThread& thread, uint64_t at_ns) {
  TRY_VOID(calls_.report_held(thread, nullptr));
  const auto& fatal = thread.process->fatal;
  bool took = fatal && fatal->taker == thread.tid;
  if (took && thread.dying) {
    Order::Entry returned = *thread.dying;
    TRY_VOID(calls_.leave(thread, returned));
  }
  if (took) TRY_VOID(signals_.report(thread, fatal->signal, thread.dying ? thread.stack.kept() : nullptr));
  return calls_.end_open(thread, at_ns);
}

Result<void> LifeReports::exited(FollowedThread& thread, const wire_record& record) {
  FollowedProcess& process = *thread.process;
  Pid pid = thread.pid;
  if (record.end.how == WIRE_ENDS_LAST) {
    process.over = true;
    process.leader_status = static_cast<int>(record.end.leader_status);
  }
  if (record.kind == WIRE_THREAD_EXIT && !thread.ended) {
    TRY_VOID(end_call(thread, record.at_ns));
    process.threads--;
    int status = static_cast<int>(record.end.status);
    bool for_exec = record.end.how == WIRE_ENDS_FOR_EXEC;
    // Where functions are traced its heir is followed (WIRE_HEIR).
    process.has_heir |= for_exec && thread.tid == leader_of(pid) && !context_.request.functions;
    // wait4(2) reports a leader when its last thread is gone.
    if (thread.tid == leader_of(pid)) thread.ended = {status, record.at_ns};
    else TRY_VOID(report_exit(thread, status, record.at_ns));
  }
  return report_leader_exit(pid);
}

/// If nothing keeps it back any more.
Result<void> LifeReports::report_leader_exit(Pid pid) {
  FollowedThread* leader = context_.threads.find(leader_of(pid));
  if (!leader || !leader->ended || leader->process->threads > 0) return {};
  if (leader->process->over) return report_exit(*leader, leader->process->leader_status, leader->ended->at_ns);
  if (!leader->process->has_heir || leader->tid == context_.command.child) return {};
  return detach(*leader, leader->ended->at_ns);
}

bool LifeReports::awaits_heir() {
  FollowedThread* leader = context_.threads.find(context_.command.child);
  return leader && leader->ended && leader->process->has_heir && leader->process->threads == 0;
}

Result<void> LifeReports::report_heirs_end(std::optional<int> status) {
  FollowedThread& leader = *context_.threads.find(context_.command.child);
  return status ? report_exit(leader, *status, monotonic_ns()) : detach(leader, monotonic_ns());
}

Result<void> LifeReports::report_exit(FollowedThread& thread, int status, uint64_t at_ns) {
  if (WIFEXITED(status)) TRY_VOID(context_.emit(thread, at_ns, 0, ExitedEvent{WEXITSTATUS(status)}));
  else TRY_VOID(context_.emit(thread, at_ns, 0, KilledEvent{WTERMSIG(status), WCOREDUMP(status) != 0}));
  if (thread.tid == context_.command.child) context_.command.status = status;
  thread.ended = {status, at_ns};
  context_.threads.forget(thread);
  return {};
}

Result<void> LifeReports::detach(FollowedThread& thread, uint64_t at_ns) {
  const Call& call = thread.call;
  if (thread.inside && thread.wanted && !thread.announced && context_.request.status.detached) {
    thread.announced = true;
    TRY_VOID(context_.emit(thread, call.entered.monotonic_ns, call.ip, EnterEvent{&call, &thread.decoded}));
  }
  TRY_VOID(context_.emit(thread, at_ns, 0, DetachedEvent{thread.inside && thread.announced},
                         thread.resumes ? thread.stack.kept() : nullptr));
  context_.threads.forget(thread);
  return {};
}

}  // namespace strut
