// The additional work of the tracer where functions are traced: its targets have breakpoints, and so do their children.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/clock.hpp"
#include "process/tracer_process.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/clear_memory.hpp"
#include "ptrace/engine/borrowers.hpp"
#include "ptrace/engine/tracer.hpp"

namespace strut {

/// True: SIGTRAP was handled, and is not delivered.
Result<bool> Tracer::handle_trap(Tracee& tracee) {
  FunctionWatch::Next next = TRY(functions_->at_trap(tracee));
  bool* asked = request_.stop_on.function_asked;
  if (asked && std::exchange(*asked, false)) stop_next(tracee);
  if (next == FunctionWatch::Next::GoOn) {
    if (tracee.place() == Place::Outside) cpu_->at_call(tracee, tracees_);
    go_on(tracee);
  }
  if (next == FunctionWatch::Next::DeliverAgain) go_on(tracee, {SIGTRAP, 0});
  return next != FunctionWatch::Next::Deliver;
}

/// Nothing is reported of them.
Result<void> Tracer::attach_borrowers() {
  std::vector<MemoryOwner> owners;
  for (Pid pid : request_.attach) {
    auto lives = [&](auto& entry) { return entry.second->pid == pid && state_of(entry.second->tid) != 'Z'; };
    auto thread = std::find_if(tracees_.begin(), tracees_.end(), lives);
    if (thread != tracees_.end()) owners.push_back({pid, thread->second->tid});
  }
  for (auto& [pid, borrowers] : attach_to_borrowers(owners, options())) {
    if (!borrowers.lacking.empty())
      return fail({0, "attach", std::to_string(raw(pid)), std::move(borrowers.lacking), "Breakpoints would kill it"});
    for (Tid tid : borrowers.threads) {
      auto status = process_status(tid);
      Tracee& tracee = tracees_.add(tid, status ? status->pid : Pid{raw(tid)});
      tracee.just_attached = true;
      tracee.visibility = Visibility::Hidden;
    }
  }
  return {};
}

/// A child stands at its first stop, before or behind its parent's event. nullptr: it stays there, or is let go.
Result<Tracee*> Tracer::welcome_probed(Tid tid) {
  Births::Child child;
  auto arrival = functions_->arrived(tid, child);
  if (arrival == FunctionWatch::Arrival::Early) take(tid);
  if (arrival != FunctionWatch::Arrival::Traced) return nullptr;
  Tracee& tracee = tracees_.add(tid, child.process->pid);
  tracee.probed.process = child.process;
  tracee.is_unfollowed = !request_.follows_threads() && leader_of(child.process->pid) != tid;
  if (tracee.is_bystander()) tracee.visibility = Visibility::Hidden;
  learn_comm(tracee);
  const Tracee* parent = tracees_.find(child.parent);
  if (!tracee.is_bystander())
    TRY_VOID(emitter_.report(tracee, now(), 0,
                             AttachedEvent{false, 1, child.parent, parent ? parent->open_call() : nullptr}));
  return &tracee;
}

/// The parent is stopped until its child has come to its first stop: the child's story begins with the parent's current
/// state.
Result<void> Tracer::expect_probed(Tracee& parent) {
  auto message = event_message(parent.tid);
  if (!message) return {};
  Tid child{static_cast<int32_t>(*message)};
  bool has_arrived = functions_->expect(parent, child);
  if (has_arrived) return begin_probed(child);
  std::optional<Waited> waited;
  while (!(waited = wait_for(child)) && errno == EINTR) {
  }
  Stop stop = waited ? classify(waited->status) : Stop{ExitStop{}};
  bool is_dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
  return is_dead ? Result<void>{} : begin_probed(child);
}

/// A child that arrived too early goes on.
Result<void> Tracer::begin_probed(Tid child) {
  Tracee* tracee = TRY(welcome_probed(child));
  if (!tracee) return {};
  if (is_leaving_) return stand(*tracee, TrapStop{});
  go_on(*tracee);
  return {};
}

// -- letting go -------------------------------------------------------------------------------------------------------

/// The process is detached: this thread has stopped, and may be at a place where it cannot be detached. The last thread
/// to stop detaches all with it.
Result<void> Tracer::stand(Tracee& tracee, const Stop& stop) {
  TracerProcess::note_progress();
  if (auto* signal = std::get_if<SignalStop>(&stop))
    functions_->before_taking(tracee, stopped_by(tracee.tid, signal->signal));
  take(tracee.tid);
  auto* event = std::get_if<EventStop>(&stop);
  if (event && event->event == PTRACE_EVENT_EXEC) {
    if (tracee.is_borrower()) return let_go(tracee, 0);
    functions_->executed(tracee, FunctionWatch::Arm::No);
  }
  bool births = event && (event->event == PTRACE_EVENT_FORK || event->event == PTRACE_EVENT_VFORK ||
                          event->event == PTRACE_EVENT_CLONE);
  if (births) TRY_VOID(expect_probed(tracee));
  if (tracee.resume_at_ns != 0) {
    tracee.resume_at_ns = 0;
    delayed_--;
  }
  if (!tracee.probed.process) return let_go(tracee, pending_signal(stop));
  if (Traps::may_be_left(tracee.probed, stop, tracee.resume_signal)) tracee.stand();
  return tracees_.all_stand() ? leave_standing() : Result<void>{};
}

/// Detaches the threads of each address space in which all stand. Slots go with them: none is in one any more.
Result<void> Tracer::leave_standing() {
  std::unordered_set<const AddressSpace*> awaited;
  std::unordered_set<const ProbedProcess*> seen;
  std::unordered_map<const AddressSpace*, std::vector<ProbedThread*>> one_of_each_process;
  for (auto& [tid, tracee] : tracees_) {
    const auto& process = tracee->probed.process;
    if (process && (!tracee->is_standing() || functions_->awaits_child_in(*process->space)))
      awaited.insert(process->space.get());
  }
  std::vector<Tid> leaving;
  for (auto& [tid, tracee] : tracees_) {
    if (!tracee->is_standing() || awaited.contains(tracee->probed.process->space.get())) continue;
    leaving.push_back(tracee->tid);
    if (seen.insert(tracee->probed.process.get()).second)
      one_of_each_process[tracee->probed.process->space.get()].push_back(&tracee->probed);
  }
  for (auto& [space, threads] : one_of_each_process) clear_memory(threads);
  for (Tid tid : leaving)
    if (Tracee* tracee = tracees_.find(tid)) TRY_VOID(let_go(*tracee, tracee->resume_signal));
  return {};
}

/// Whatever went wrong, targets are to have no breakpoints when strut ends.
void Tracer::give_back() {
  emitter_.mute();
  if (!is_leaving_) (void)leave_all();
  while (!tracees_.empty() && loop()) {
  }
}

}  // namespace strut
