// Births, new programs and deaths as events.
#include <sys/wait.h>

#include "base/clock.hpp"
#include "kassist/syscalls/event_builder.hpp"

namespace strut {

Result<void> EventBuilder::born(FollowedThread& parent, RecordView view) {
  const wire_record& record = view.header();
  std::string comm = RecordedContext::own_comm(view).value_or(parent.comm);
  Abi abi = parent.last_abi;
  Pid parent_pid = parent.pid;
  Tid parent_tid = parent.tid;
  FollowedThread& child =
      add(Tid{static_cast<int32_t>(record.birth.thread)}, Pid{static_cast<int32_t>(record.birth.process)});
  child.comm = std::move(comm);
  child.last_abi = abi;
  if (unwinder_) unwinder_->forked(parent_pid, child.pid);
  const SyscallDesc* by = find_syscall(static_cast<Abi>(record.abi), record.nr);
  return say(child, record.at_ns, 0, AttachedEvent{false, 1, parent_tid, by});
}

Result<void> EventBuilder::executed(const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  Tid tid{static_cast<int32_t>(record.tid)}, former{static_cast<int32_t>(record.program.former_thread)};
  FollowedThread* thread = find(former);
  if (!thread) thread = &meet(former, Pid{static_cast<int32_t>(record.tgid)});
  TRY_VOID(account_for_losses(*thread, record));
  thread->program = new_program(entry);
  thread->replaced = true;
  if (former != tid) {
    TRY_VOID(report_held(*thread, nullptr));
    if (FollowedThread* leader = find(tid)) leader->note_number(record.nr);
    TRY_VOID(replace_leader(tid, former, record.at_ns));
  }
  thread = find(tid);
  thread->memory.move_to(tid);
  if (thread->at_sites) thread->at_sites->move_to(tid);
  if (request_.functions && command_ != tid) TRY_VOID(say(*thread, record.at_ns, 0, ExecutedEvent{}));
  if (unwinder_) learn_program(thread->pid, record);
  learn_comm(*thread, entry.record);
  if (command_ == tid || !request_.detach_on.contains(thread->call.abi, thread->call.nr)) return {};
  return let_go(*thread, record.at_ns);
}

void EventBuilder::learn_comm(FollowedThread& thread, RecordView record) {
  if (!request_.need_comm) return;
  if (auto comm = RecordedContext::own_comm(record)) thread.comm = std::move(*comm);
}

/// ptrace(2), "execve(2) under ptrace": the thread that called execve has its leader's id from now on.
Result<void> EventBuilder::replace_leader(Tid leader, Tid former, uint64_t at_ns) {
  FollowedThread* superseded = find(leader);
  if (superseded) TRY_VOID(end_call(*superseded, at_ns));
  TRY_VOID(say(*find(former), at_ns, 0, RenamedEvent{leader}));
  std::unique_ptr<FollowedThread> gone;
  if (superseded) {
    if (!superseded->ended) superseded->process->threads--;
    gone = std::move(threads_.extract(raw(leader)).mapped());
  }
  auto node = threads_.extract(raw(former));
  node.key() = raw(leader);
  recent_ = node.mapped().get();
  recent_->tid = recent_->call.tid = leader;
  recent_->around.move_to(leader);
  threads_.insert(std::move(node));
  recent_->process->has_heir = false;
  if (!gone) return {};
  return say(*gone, at_ns, 0, SupersededEvent{former});
}

/// A call that is open when its thread dies never returns, unless a fatal signal waited until it had.
Result<void> EventBuilder::end_call(FollowedThread& thread, uint64_t at_ns) {
  TRY_VOID(report_held(thread, nullptr));
  const auto& fatal = thread.process->fatal;
  bool took = fatal && fatal->taker == thread.tid;
  if (took && thread.dying) {
    Order::Entry returned = *thread.dying;
    TRY_VOID(leave(thread, returned));
  }
  if (took) TRY_VOID(report_signal(thread, fatal->signal, thread.dying ? thread.stack.kept() : nullptr));
  if (!thread.inside) return {};
  thread.inside = false;
  return thread.wanted ? report_exit(thread, at_ns) : Result<void>{};
}

Result<void> EventBuilder::died(FollowedThread& thread, const wire_record& record) {
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
    process.has_heir |= for_exec && thread.tid == leader_of(pid) && !request_.functions;
    // wait4(2) reports a leader when its last thread is gone.
    if (thread.tid == leader_of(pid)) thread.ended = {status, record.at_ns};
    else TRY_VOID(report_death(thread, status, record.at_ns));
  }
  return report_leader_death(pid);
}

/// If nothing keeps it back any more.
Result<void> EventBuilder::report_leader_death(Pid pid) {
  FollowedThread* leader = find(leader_of(pid));
  if (!leader || !leader->ended || leader->process->threads > 0) return {};
  if (leader->process->over) return report_death(*leader, leader->process->leader_status, leader->ended->at_ns);
  if (!leader->process->has_heir || leader->tid == launched_) return {};
  return let_go(*leader, leader->ended->at_ns);
}

bool EventBuilder::awaits_heir() {
  FollowedThread* leader = find(launched_);
  return leader && leader->ended && leader->process->has_heir && leader->process->threads == 0;
}

Result<void> EventBuilder::report_heirs_end(std::optional<int> status) {
  FollowedThread& leader = *find(launched_);
  return status ? report_death(leader, *status, monotonic_ns()) : let_go(leader, monotonic_ns());
}

Result<void> EventBuilder::report_death(FollowedThread& thread, int status, uint64_t at_ns) {
  if (WIFEXITED(status)) TRY_VOID(say(thread, at_ns, 0, ExitedEvent{WEXITSTATUS(status)}));
  else TRY_VOID(say(thread, at_ns, 0, KilledEvent{WTERMSIG(status), WCOREDUMP(status) != 0}));
  if (thread.tid == launched_) command_status_ = status;
  thread.ended = {status, at_ns};
  forget(thread);
  return {};
}

void EventBuilder::forget(FollowedThread& thread) {
  FollowedProcess& process = *thread.process;
  Pid pid = thread.pid;
  if (!thread.ended) process.threads--;
  if (recent_ == &thread) recent_ = nullptr;
  late_ += thread.late();
  threads_.erase(raw(thread.tid));
  bool leader_waits = threads_.contains(raw(leader_of(pid)));
  if (process.threads > 0 || leader_waits) return;
  processes_.erase(raw(pid));
  if (unwinder_) unwinder_->gone(pid);
}

}  // namespace strut
