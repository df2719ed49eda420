// How hosted processes are let go, with nothing of strut's left in them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <time.h>

#include "core/clock.hpp"
#include "core/proc/process_status.hpp"
#include "ptrace/clear_memory.hpp"
#include "ptrace/host.hpp"
#include "ptrace/patience.hpp"

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
  auto all_stand = [&] {
    return births_.empty() &&
           std::all_of(threads_.begin(), threads_.end(), [](auto& entry) { return entry.second->is_standing; });
  };
  auto is_given_up = [&, since_ns = monotonic_ns()] {
    uint64_t waited_ns = monotonic_ns() - since_ns;
    if (!is_patience_over(waited_ns, {})) return false;
    std::string states;
    for (auto& [tid, thread] : threads_)
      if (!thread->is_standing) states += state_of(thread->tid);
    return is_patience_over(waited_ns, states);
  };
  while (!all_stand() && !is_given_up()) {
    std::optional<Waited> waited;
    if (!taken.empty()) {
      waited = taken.front();
      taken.pop_front();
    } else {
      waited = look_at_any(Whose::Thread);
    }
    constexpr timespec kPause{0, 50'000};
    if (!waited) ::nanosleep(&kPause, nullptr);
    else if (Hosted* thread = threads_.find(waited->tid)) stand(*thread, *waited);
    else handle(*waited);
  }
  detach_all();
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
  for (auto& [tid, thread] : threads_) detach(thread->tid, thread->signal);
  while (!threads_.empty()) threads_.remove(threads_.begin()->second->tid);
}

}  // namespace strut
