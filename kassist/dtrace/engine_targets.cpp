// KassistDEngine: the processes of a run, from their launch or attach to their exit, and their mappings.
#include <algorithm>
#include <csignal>
#include <utility>

#include "base/clock.hpp"
#include "kassist/dtrace/engine_parts.hpp"
#include "kassist/dtrace/presence.hpp"
#include "process/caller.hpp"
#include "process/interruption.hpp"
#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"

namespace strut {

Result<void> KassistDEngine::watch() {
  if (watch_) return {};
  using Wakes = ProcessWatch::Wakes;
  watch_ = TRY(ProcessWatch::start(request_.system_wide ? Wakes::AtEach : Wakes::WhenMany));
  return listen_to(watch_->news(), kChanges);
}

Result<void> KassistDEngine::attach(Pid pid, DObserver&) {
  auto status = process_status(leader_of(pid));
  if (!status) return fail({ESRCH, "attach", process_name(pid), {}, {}});
  if (status->kernel_thread) return fail({0, "attach", kernel_thread_refusal(pid), {}, {}});
  if (status->state == 'Z' && status->threads <= 1) return fail({0, "attach", ended_refusal(pid), {}, {}});
  TRY_VOID(check_may_trace(pid));
  TRY_VOID(watch());
  TRY_VOID(targets_->add(pid, DTargets::Parent::Other));
  followed_.insert(raw(pid));
  if (has_stacks_) stacks_->attach(pid);
  if (reads_at_calls()) bring_in_modules(pid);
  if (request_.later_programs && !request_.system_wide) watch_linkers_of(pid);
  return {};
}

/// A process in a container may have another linker than the machine's.
void KassistDEngine::watch_linkers_of(Pid pid) {
  if (!linkers_) return;
  linkers_->watch(pid);
  auto mappings = maps_of(pid);
  for (const Mapping& mapping : mappings ? *mappings : std::vector<Mapping>{}) linkers_->mapped(pid, pid, mapping);
}

Result<void> KassistDEngine::launch(HeldCommand command, DObserver& observer) {
  Pid pid = command.pid();
  TRY_VOID(watch());
  TRY_VOID(targets_->add(pid, command.is_child() ? DTargets::Parent::Strut : DTargets::Parent::Other));
  followed_.insert(raw(pid));
  kernel_->control().wait_for_exec(pid);
  if (!parts_.launch_watch) return command.release(), Result<void>{};
  auto until = request_.later_programs ? LaunchWatch::Until::Ended : LaunchWatch::Until::Started;
  auto thread = TRY(LaunchThread::start(parts_.launch_watch(), std::move(command), until));
  TRY_VOID(listen_to(thread->news(), kLaunches));
  launches_.push_back({pid, std::move(thread)});
  while (Interruption::caught() == 0 && !look_at_launch(launches_.back(), LaunchThread::Look::Wait, observer)) {
  }
  take_changes(observer, {});
  return {};
}

/// True: its program runs, or it is not watched any more.
bool KassistDEngine::look_at_launch(Launched& launched, LaunchThread::Look look, DObserver& observer) {
  switch (launched.thread->next(look)) {
    case LaunchThread::Seen::NewCode:
      stop_at_new_code(launched.pid, observer);
      launched.thread->answer();
      return false;
    case LaunchThread::Seen::Nothing: return false;
    case LaunchThread::Seen::Over: launched.is_over = true; return true;
    case LaunchThread::Seen::Started:
      // The first dlopen(3) may be its next step: its linker is watched by then.
      started(launched.pid);
      launched.thread->answer();
      return true;
  }
  return false;
}

void KassistDEngine::started(Pid pid) {
  // The constants of the library that was mapped last were mapped behind its code, at which the process stood still.
  if (reads_at_calls()) bring_in_modules(pid);
  kernel_->control().has_started(pid);
  if (request_.later_programs && !request_.system_wide) watch_linkers_of(pid);
}

void KassistDEngine::look_at_launches(DObserver& observer) {
  for (Launched& launched : launches_) look_at_launch(launched, LaunchThread::Look::AtOnce, observer);
  std::erase_if(launches_, [](const Launched& launched) { return launched.is_over; });
}

/// The process stands still.
void KassistDEngine::stop_at_new_code(Pid pid, DObserver& observer) {
  looked_ns_[raw(pid)] = monotonic_ns();
  if (reads_at_calls()) bring_in_modules(pid);
  take_changes(observer, {pid});
  observer.code_changed(pid);
}

/// Precedes reporting; sites to arm wait until the records are reported.
void KassistDEngine::read_changes() {
  if (!watch_) return;
  for (ProcessChange& change : watch_->read()) {
    if (keeps_changes_) stacks_->take(change);
    changes_.push_back(std::move(change));
  }
}

/// The mappings that a linker had made when it requested arming are among these changes.
void KassistDEngine::answer_linkers(DObserver& observer) {
  if (!linkers_) return take_changes(observer, {});
  std::set<Pid> standing;
  for (const wire_question& question : linkers_->questions()) {
    hold_command(Tid{static_cast<int32_t>(question.thread)}, observer);
    standing.insert(Pid{static_cast<int32_t>(question.process)});
  }
  take_changes(observer, standing);
  linkers_->answer();
}

/// A process that waits in a BPF program occupies a CPU, and locks that arming needs: a command that is watched anyway
/// is stopped instead.
void KassistDEngine::hold_command(Tid asker, DObserver& observer) {
  auto launched = std::ranges::find(launches_, raw(asker), [](const Launched& one) { return raw(one.pid); });
  if (launched == launches_.end()) return;
  launched->thread->hold();
  look_at_launch(*launched, LaunchThread::Look::AtOnce, observer);
}

/// A process that maps several files at once is reported once.
void KassistDEngine::take_changes(DObserver& observer, const std::set<Pid>& standing) {
  read_changes();
  std::set<Pid> changed;
  for (const ProcessChange& change : std::exchange(changes_, {})) take(change, changed, observer);
  changed.merge(fresh_code_.ripe(standing, monotonic_ns()));
  for (Pid pid : changed) observer.code_changed(pid);
}

/// `changed`: processes with new code to look at.
void KassistDEngine::take(const ProcessChange& change, std::set<Pid>& changed, DObserver& observer) {
  using Kind = ProcessChange::Kind;
  bool is_code = change.kind == Kind::Executed || (change.kind == Kind::Mapped && change.mapping.inode != 0);
  if (change.kind == Kind::Lost)
    for (int32_t pid : followed_) changed.insert(Pid{pid});
  auto looked = looked_ns_.find(raw(change.pid));
  bool is_news = looked == looked_ns_.end() || looked->second < change.at_ns;
  bool may_be_linker = linkers_ && change.kind == Kind::Mapped && (request_.system_wide || is_followed(change.pid));
  if (may_be_linker)
    linkers_->mapped(request_.system_wide ? std::nullopt : std::optional(change.pid), change.pid, change.mapping);
  if (is_code && is_news && (is_followed(change.pid) || is_new_file(change))) {
    if (linkers_ && change.kind == Kind::Mapped) fresh_code_.mapped(change.pid, monotonic_ns());
    else changed.insert(change.pid);
  }
  if (change.kind == Kind::Forked) headless_.erase(raw(change.pid));
  if (change.kind == Kind::Exited && raw(change.tid) == raw(change.pid)) lose_first_thread(change.pid);
  if (change.kind == Kind::Executed && headless_.erase(raw(change.pid)) != 0) {
    uprobes_.erase(raw(change.pid));
    if (linkers_ && !request_.system_wide) linkers_->forget(change.pid), watch_linkers_of(change.pid);
    observer.disarmed(change.pid);
  }
}

/// A uprobe's link is to the thread that was first when it was armed. If another thread execs, it takes over that
/// number: the link belongs to no process, and its uprobes are not inserted into the new program (but it would run at
/// those of other links).
void KassistDEngine::lose_first_thread(Pid pid) {
  if (!is_followed(pid)) return;
  if (targets_->has(pid)) headless_.insert(raw(pid));
  else followed_.erase(raw(pid));
}

/// For processes that are not followed: a file is reported once, while a process that maps it still lives.
bool KassistDEngine::is_new_file(const ProcessChange& change) {
  if (!request_.system_wide || change.kind != ProcessChange::Kind::Mapped) return false;
  File file{change.mapping.device_major, change.mapping.device_minor, change.mapping.inode};
  return !files_.contains(file) && ::kill(raw(change.pid), 0) == 0 && files_.insert(file).second;
}

/// True: one has ended. Its earlier records are reported before.
bool KassistDEngine::report_ends(DObserver& observer) {
  auto ended = targets_->take_ended();
  for (const DTargets::Ended& one : ended) {
    reader_->report_before(one.seen_ns, observer);
    followed_.erase(raw(one.pid));
    observer.ended(one.pid, one.status);
  }
  return !ended.empty();
}

}  // namespace strut
