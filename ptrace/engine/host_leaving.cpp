// How hosted processes are let go, with nothing of strut's left in them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <time.h>

#include "base/clock.hpp"
#include "process/tracer_process.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/breakpoints/clear_memory.hpp"
#include "ptrace/engine/host.hpp"
#include "ptrace/engine/patience.hpp"

namespace strut {

void PtraceProbeHost::let_go() {
  if (leaving_) return;
  leaving_ = true;
  if (cpu_) cpu_->release();
  std::set<AddressSpace*> spaces;
  for (auto& [tid, thread] : threads_) spaces.insert(thread->process->space.get());
  for (AddressSpace* space : spaces) space->remove_all();
  for (auto& [tid, thread] : threads_) interrupt(thread->tid);
  std::deque<Waited> taken = std::exchange(waiting_, {});
  uint64_t last_stop_ns = monotonic_ns();
  for (;;) {
    std::optional<Waited> waited;
    if (!taken.empty()) {
      waited = taken.front();
      taken.pop_front();
    } else {
      waited = look_at_any(WaitScope::Thread);
    }
    if (!waited) {
      if (all_stand() || is_patience_over_with_rest(monotonic_ns() - last_stop_ns)) break;
      constexpr timespec kPause{0, 50'000};
      ::nanosleep(&kPause, nullptr);
      continue;
    }
    last_stop_ns = monotonic_ns();
    TracerProcess::note_progress();
    if (Hosted* thread = threads_.find(waited->tid)) stand(*thread, *waited);
    else handle(*waited);
  }
  detach_all();
}

bool PtraceProbeHost::all_stand() const {
  return births_.empty() &&
         std::all_of(threads_.begin(), threads_.end(), [](auto& entry) { return entry.second->is_standing; });
}

/// The others are not going to stop, and no stop of theirs is left to be handled.
bool PtraceProbeHost::is_patience_over_with_rest(uint64_t quiet_ns) {
  uint64_t time = monotonic_ns();
  bool is_vfork = births_.empty() && std::all_of(threads_.begin(), threads_.end(), [](auto& entry) {
                    return entry.second->is_standing || entry.second->made_vfork;
                  });
  if (time < look_at_states_ns_ || !(is_vfork || is_patience_over(quiet_ns, {}))) return false;
  look_at_states_ns_ = time + kLookAtStates_ns;
  std::string states;
  bool is_trapping = false;
  for (auto& [tid, thread] : threads_) {
    if (thread->is_standing) continue;
    states += running_state(*thread);
    is_trapping = is_trapping || Traps::is_trapping(thread->tid);
  }
  return !is_trapping && is_patience_over(quiet_ns, states) && !look_at_any(WaitScope::Thread);
}

void PtraceProbeHost::stand(Hosted& thread, const Waited& waited) {
  Stop stop = classify(waited.status);
  traps_.settle(thread, waited);
  take(waited.tid);
  if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop))
    return handle_death(waited.tid, waited.status);
  auto* event = std::get_if<EventStop>(&stop);
  if (event && event->event == PTRACE_EVENT_EXEC && !handle_exec(waited.tid)) return;
  if (event &&
      (event->event == PTRACE_EVENT_FORK || event->event == PTRACE_EVENT_VFORK || event->event == PTRACE_EVENT_CLONE))
    expect_child(thread);
  thread.is_standing = Traps::may_be_left(thread, stop, thread.signal);
}

void PtraceProbeHost::detach_all() {
  std::map<AddressSpace*, std::vector<ProbedThread*>> one_of_each_process;
  std::set<ProbedProcess*> seen;
  for (auto& [tid, thread] : threads_)
    if (seen.insert(thread->process.get()).second)
      one_of_each_process[thread->process->space.get()].push_back(thread.get());
  for (auto& [tid, thread] : threads_)
    if (!thread->is_standing) one_of_each_process.erase(thread->process->space.get());  // it may be in a slot
  for (auto& [space, threads] : one_of_each_process) clear_memory(threads);
  // Threads that are not stopped run: the kernel detaches them when the tracer exits, and delivers their pending stops'
  // signals.
  for (auto& [tid, thread] : threads_)
    if (thread->is_standing) detach(thread->tid, thread->signal);
  while (!threads_.empty()) threads_.remove(threads_.begin()->second->tid);
}

}  // namespace strut
