// Tracees that come and go.
#include <cerrno>

#include "procfs/process_status.hpp"
#include "ptrace/engine/engine.hpp"

namespace strut {

/// nullptr: it is no tracee, or not yet, and its stop has been dealt with.
Result<Tracee*> Engine::handle_unknown(Tid tid, bool is_dead) {
  Tracee* tracee = nullptr;
  if (is_dead && probes_) {
    if (auto gone = probes_->forget_child(tid)) observer_->process_gone(*gone, std::nullopt);
  } else if (is_leaving() && !probes_) {
    leaving_.let_newborn_go(tid);
  } else if (!is_dead) {
    tracee = TRY(welcome(tid));
  }
  if (tracee) return tracee;
  newborns_.forget(tid);
  take(tid);
  if (probes_ && is_dead && is_leaving()) TRY_VOID(leaving_.release_standing());
  return nullptr;
}

/// A thread that called execve stops as its leader, whether the leader was traced or not (ptrace(2), "execve(2) under
/// ptrace").
Result<void> Engine::follow_exec(Tid tid, const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  if (!event || event->event != PTRACE_EVENT_EXEC) return {};
  // A thread with a changed id answers no request before this stop was taken: Linux 5.13 protects tracers that know
  // only the old leader.
  take(tid);
  auto message = event_message(tid);
  Tid former = message ? Tid{static_cast<int32_t>(*message)} : tid;
  if (former == tid || !tracees_.find(former)) return {};
  Tracee* leader = tracees_.find(tid);
  TRY_VOID(observer_->before_rename(*tracees_.find(former), tid, leader));
  std::unique_ptr<Tracee> gone = leader ? tracees_.extract(tid) : nullptr;
  tracees_.rename(former, tid);
  tracees_.find(tid)->call.tid = tid;
  if (!gone) return {};
  if (gone->resume_at_ns != 0) delayed_--;
  return observer_->after_rename(*tracees_.find(tid), former, *gone);
}

Result<void> Engine::handle_exec(Tracee& tracee) {
  tracee.memory.move_to(tracee.tid);
  if (tracee.is_borrower()) {  // it has memory of its own now, without breakpoints
    cpu_->let_go(tracee.tid);
    detach(tracee.tid);
    return forget(tracee, std::nullopt);
  }
  if (probes_) probes_->executed(tracee);
  if (TRY(observer_->at_exec(tracee)) == AfterExec::Released) return release(tracee, 0);
  go_on(tracee);
  return {};
}

Result<void> Engine::handle_death(Tracee& tracee, const Stop& stop, int status) {
  cpu_->bury(tracee.tid);
  take(tracee.tid);
  TRY_VOID(observer_->after_death(tracee, stop, status));
  return forget(tracee, status);
}

Result<void> Engine::forget(Tracee& tracee, std::optional<int> status) {
  if (tracee.resume_at_ns != 0) delayed_--;
  Pid pid = tracee.pid;
  bool is_process = leader_of(pid) == tracee.tid && !tracee.is_borrower();
  ProbedProcesses::Orphans orphans;
  if (probes_) orphans = probes_->died(tracee, settings_.follow);
  for (Pid child : orphans.processes) observer_->expects(pid, child);
  tracees_.remove(tracee.tid);
  for (Tid child : orphans.children) TRY_VOID(begin_child(child));
  if (is_process) observer_->process_gone(pid, status);
  return {};
}

// -- children ---------------------------------------------------------------------------------------------------------

/// Where there are breakpoints the parent is stopped until its child has come to its first stop: the child's story
/// begins with the parent's current state.
Result<void> Engine::expect_child(Tracee& parent, int event) {
  auto message = event_message(parent.tid);
  if (!message) return {};
  Tid child{static_cast<int32_t>(*message)};
  if (!probes_) {
    if (!tracees_.find(child)) newborns_.expect(parent, event, child);
    return {};
  }
  if (!is_leaving()) observer_->at_child_event(parent, child);
  ProbedProcesses::Expected expected = probes_->expect(parent, child, settings_.follow);
  if (expected.process) observer_->expects(parent.pid, *expected.process);
  if (expected.has_arrived) return begin_child(child);
  std::optional<Waited> waited;
  while (!(waited = wait_for(child)) && errno == EINTR) {
  }
  Stop stop = waited ? classify(waited->status) : Stop{ExitStop{}};
  bool is_dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
  return is_dead ? Result<void>{} : begin_child(child);
}

/// A child stands at its first stop, and was expected.
Result<void> Engine::begin_child(Tid child) {
  Tracee* tracee = TRY(welcome(child));
  if (!tracee) return {};
  if (is_leaving()) return leaving_.at_stop(*tracee, TrapStop{});
  go_on(*tracee);
  return {};
}

/// A child is at its first stop, before or behind its parent's event. nullptr: it stays there, or is let go.
Result<Tracee*> Engine::welcome(Tid tid) {
  Tracee* tracee = nullptr;
  Tid parent{};
  const SyscallDesc* by = nullptr;
  if (probes_) {
    Births::Child child;
    if (probes_->arrived(tid, child) != ProbedProcesses::Arrival::Traced) return nullptr;
    tracee = &tracees_.add(tid, child.process->pid);
    tracee->process = child.process;
    tracee->is_unfollowed = !settings_.follow_threads && leader_of(child.process->pid) != tid;
    if (tracee->is_bystander()) tracee->visibility = Visibility::Hidden;
    parent = child.parent;
    const Tracee* maker = tracees_.find(parent);
    by = maker ? maker->open_call() : nullptr;
  } else {
    auto newborn = newborns_.arrived(tid, tracees_);
    if (!newborn) return nullptr;
    if (!settings_.follow && leader_of(newborn->pid) == tid)  // a clone(2) that is no thread
      return detach(tid), nullptr;
    tracee = &tracees_.add(tid, newborn->pid);
    parent = newborn->parent;
    by = newborn->by;
  }
  TRY_VOID(observer_->at_birth(*tracee, parent, by));
  return tracee;
}

}  // namespace strut
