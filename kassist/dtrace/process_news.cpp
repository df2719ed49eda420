#include "kassist/dtrace/process_news.hpp"

#include <utility>

#include "base/clock.hpp"
#include "procfs/maps.hpp"

namespace strut {

Result<void> DProcessNews::watch() {
  if (watch_) return {};
  using Wakes = ProcessWatch::Wakes;
  watch_ = TRY(ProcessWatch::start(system_wide_ ? Wakes::AtEach : Wakes::WhenMany));
  return parts_.wait.listen_to(watch_->news());
}

Result<void> DProcessNews::watch_linkers() {
  linkers_ = TRY(DLinkers::start(parts_.kernel));
  if (!linkers_) return {};
  TRY_VOID(parts_.wait.listen_to(linkers_->news()));
  if (system_wide_) linkers_->watch(std::nullopt);
  return {};
}

void DProcessNews::follow_linkers_of(Pid pid) {
  if (!linkers_ || system_wide_ || !later_programs_) return;
  linkers_->watch(pid);
  auto mappings = maps_of(pid);
  for (const Mapping& mapping : mappings ? *mappings : std::vector<Mapping>{}) linkers_->mapped(pid, pid, mapping);
}

void DProcessNews::read() {
  if (!watch_) return;
  for (ProcessChange& change : watch_->read()) {
    if (parts_.stacks) parts_.stacks->take(change);
    changes_.push_back(std::move(change));
  }
}

void DProcessNews::report(DObserver& observer, const std::set<Pid>& standing) {
  read();
  std::set<Pid> changed;
  for (const ProcessChange& change : std::exchange(changes_, {})) take(change, changed, observer);
  changed.merge(fresh_code_.ripe(standing, monotonic_ns()));
  for (Pid pid : changed) observer.code_changed(pid);
}

void DProcessNews::report_stopped(Pid pid, DObserver& observer) {
  seen_.looked_at(pid, monotonic_ns());
  report(observer, {pid});
  observer.code_changed(pid);
}

/// The mappings that a linker had made when it requested arming are among the changes that are read after its request.
void DProcessNews::answer_linkers(DObserver& observer, const std::function<void(Tid)>& hold) {
  if (!linkers_) return report(observer);
  std::set<Pid> standing;
  for (const wire_question& question : linkers_->questions()) {
    hold(Tid{static_cast<int32_t>(question.thread)});
    standing.insert(Pid{static_cast<int32_t>(question.process)});
  }
  report(observer, standing);
  linkers_->answer();
}

/// `changed`: processes with new code to look at.
void DProcessNews::take(const ProcessChange& change, std::set<Pid>& changed, DObserver& observer) {
  using Kind = ProcessChange::Kind;
  if (change.kind == Kind::Lost) changed.insert(followed_.all().begin(), followed_.all().end());
  bool may_be_linker = linkers_ && change.kind == Kind::Mapped && (system_wide_ || followed_.has(change.pid));
  if (may_be_linker)
    linkers_->mapped(system_wide_ ? std::nullopt : std::optional(change.pid), change.pid, change.mapping);
  if (is_new_code(change)) {
    if (linkers_ && change.kind == Kind::Mapped) fresh_code_.mapped(change.pid, monotonic_ns());
    else changed.insert(change.pid);
  }
  if (change.kind == Kind::Forked) followed_.take_over_first_thread(change.pid);  // a new process has its number
  if (change.kind == Kind::Exited && raw(change.tid) == raw(change.pid))
    followed_.lose_first_thread(change.pid, parts_.targets.has(change.pid));
  if (change.kind == Kind::Executed) parts_.watches.executed(change.pid);
  if (change.kind == Kind::Executed && followed_.take_over_first_thread(change.pid)) take_exec(change.pid, observer);
}

/// A file of processes that are not followed is reported once.
bool DProcessNews::is_new_code(const ProcessChange& change) {
  using Kind = ProcessChange::Kind;
  bool is_file = change.kind == Kind::Mapped && change.mapping.inode != 0;
  if ((change.kind != Kind::Executed && !is_file) || seen_.is_reported(change)) return false;
  return followed_.has(change.pid) || (system_wide_ && is_file && seen_.is_new_file(change));
}

/// By a thread that is not the first: nothing that was armed in the process fires any more.
void DProcessNews::take_exec(Pid pid, DObserver& observer) {
  parts_.sites.forget(pid);
  if (linkers_ && !system_wide_) {
    linkers_->forget(pid);
    follow_linkers_of(pid);
  }
  observer.disarmed(pid);
}

}  // namespace strut
