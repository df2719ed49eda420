#include "ptrace/engine/lives.hpp"

#include <cerrno>

#include "procfs/process_status.hpp"
#include "ptrace/engine/engine.hpp"

namespace strut {

Result<Tracee*> Lives::handle_unknown(Tid tid, bool is_dead) {
  Tracee* tracee = nullptr;
  if (is_dead && engine_.has_breakpoints()) {
    if (auto gone = engine_.probes().forget_child(tid)) engine_.observer().process_gone(*gone, std::nullopt);
  } else if (engine_.is_leaving() && !engine_.has_breakpoints()) {
    engine_.leaving().let_newborn_go(tid);
  } else if (!is_dead) {
    tracee = TRY(welcome(tid));
  }
  if (tracee) return tracee;
  newborns_.forget(tid);
  take(tid);
  if (engine_.has_breakpoints() && is_dead && engine_.is_leaving()) TRY_VOID(engine_.leaving().release_standing());
  return nullptr;
}

Result<void> Lives::follow_exec(Tid tid, const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  if (!event || event->event != PTRACE_EVENT_EXEC) return {};
  // A thread with a changed id answers no request before this stop was taken: Linux 5.13 protects tracers that know
  // only the old leader.
  take(tid);
  auto message = event_message(tid);
  Tid former = message ? Tid{static_cast<int32_t>(*message)} : tid;
  if (former == tid || !engine_.tracees().find(former)) return {};
  Tracee* leader = engine_.tracees().find(tid);
  TRY_VOID(engine_.observer().before_rename(*engine_.tracees().find(former), tid, leader));
  std::unique_ptr<Tracee> gone = leader ? engine_.tracees().extract(tid) : nullptr;
  engine_.tracees().rename(former, tid);
  engine_.tracees().find(tid)->call.tid = tid;
  if (!gone) return {};
  engine_.restarts().end_delay(*gone);
  return engine_.observer().after_rename(*engine_.tracees().find(tid), former, *gone);
}

Result<void> Lives::handle_exec(Tracee& tracee) {
  tracee.memory.move_to(tracee.tid);
  if (tracee.is_borrower()) {  // its new memory is its own, without breakpoints
    engine_.cpu().let_go(tracee.tid);
    detach(tracee.tid);
    return forget(tracee, std::nullopt);
  }
  if (engine_.has_breakpoints()) engine_.probes().executed(tracee);
  if (TRY(engine_.observer().at_exec(tracee)) == AfterExec::Released) return engine_.release(tracee, 0);
  engine_.go_on(tracee);
  return {};
}

Result<void> Lives::handle_death(Tracee& tracee, const Stop& stop, int status) {
  engine_.cpu().bury(tracee.tid);
  take(tracee.tid);
  TRY_VOID(engine_.observer().after_death(tracee, stop, status));
  return forget(tracee, status);
}

Result<void> Lives::forget(Tracee& tracee, std::optional<int> status) {
  engine_.restarts().end_delay(tracee);
  Pid pid = tracee.pid;
  bool is_process = leader_of(pid) == tracee.tid && !tracee.is_borrower();
  ProbedProcesses::Orphans orphans;
  if (engine_.has_breakpoints()) orphans = engine_.probes().died(tracee, engine_.settings().follow);
  for (Pid child : orphans.processes) engine_.observer().expects(pid, child);
  engine_.tracees().remove(tracee.tid);
  for (Tid child : orphans.children) TRY_VOID(begin_child(child));
  if (is_process) engine_.observer().process_gone(pid, status);
  return {};
}

// -- children ---------------------------------------------------------------------------------------------------------

Result<void> Lives::expect_child(Tracee& parent, int event) {
  auto message = event_message(parent.tid);
  if (!message) return {};
  Tid child{static_cast<int32_t>(*message)};
  if (!engine_.has_breakpoints()) {
    if (!engine_.tracees().find(child)) newborns_.expect(parent, event, child);
    return {};
  }
  if (!engine_.is_leaving()) engine_.observer().at_child_event(parent, child);
  ProbedProcesses::Expected expected = engine_.probes().expect(parent, child, engine_.settings().follow);
  if (expected.process) engine_.observer().expects(parent.pid, *expected.process);
  if (expected.has_arrived) return begin_child(child);
  std::optional<Waited> waited;
  while (!(waited = wait_for(child)) && errno == EINTR) {
  }
  Stop stop = waited ? classify(waited->status) : Stop{ExitStop{}};
  bool is_dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
  return is_dead ? Result<void>{} : begin_child(child);
}

/// A child stands at its first stop, and was expected.
Result<void> Lives::begin_child(Tid child) {
  Tracee* tracee = TRY(welcome(child));
  if (!tracee) return {};
  if (engine_.is_leaving()) return engine_.leaving().at_stop(*tracee, TrapStop{});
  engine_.go_on(*tracee);
  return {};
}

/// A child is at its first stop, before or behind its parent's event. nullptr: it stays there, or is let go.
Result<Tracee*> Lives::welcome(Tid tid) {
  if (engine_.has_breakpoints()) return welcome_probed(tid);
  auto newborn = newborns_.arrived(tid, engine_.tracees());
  if (!newborn) return nullptr;
  if (!engine_.settings().follow && leader_of(newborn->pid) == tid)  // a clone(2) that is no thread
    return detach(tid), nullptr;
  Tracee& tracee = engine_.tracees().add(tid, newborn->pid);
  TRY_VOID(engine_.observer().at_birth(tracee, newborn->parent, newborn->by));
  return &tracee;
}

Result<Tracee*> Lives::welcome_probed(Tid tid) {
  Births::Child child;
  if (engine_.probes().arrived(tid, child) != ProbedProcesses::Arrival::Traced) return nullptr;
  Tracee& tracee = engine_.tracees().add(tid, child.process->pid);
  tracee.process = child.process;
  tracee.is_unfollowed = !engine_.settings().follow_threads && leader_of(child.process->pid) != tid;
  if (tracee.is_bystander()) tracee.visibility = Visibility::Hidden;
  if (tracee.process->watched) {
    if (auto watched = ProbedProcesses::watch_child(tracee); !watched)
      engine_.observer().unwatched(tracee, watched.error());
  }
  const Tracee* maker = engine_.tracees().find(child.parent);
  TRY_VOID(engine_.observer().at_birth(tracee, child.parent, maker ? maker->open_call() : nullptr));
  return &tracee;
}

}  // namespace strut
