#include "ptrace/cpu/cpu_follower.hpp"

#include <csignal>
#include <system_error>

#include <sched.h>

#include "ptrace/engine/kin.hpp"

namespace strut {

namespace {

constexpr uint64_t kStopsWorthAGuardian = 128;
constexpr size_t kMaxCompany = 256;  ///< tracees to be asked before one is narrowed

}  // namespace

/// Under a seccomp filter tracees do not stop at every call.
CpuFollower::Way CpuFollower::way_for(const TraceRequest& request) {
  if (TracerCpu::may_leave_idle()) return Way::Idle;
  return request.seccomp_filter ? Way::None : Way::Narrow;
}

CpuFollower::CpuFollower(const TraceRequest& request)
    : way_(way_for(request)), kin_is_traced_(request.follow && request.attach.empty()) {
  // Tracees that may go elsewhere would see that.
  if (tracer_.is_only_one() && way_ == Way::Narrow) way_ = Way::None;
}

CpuFollower::~CpuFollower() {
  {
    std::lock_guard lock(changing_);
    release_locked();
    ending_ = true;
  }
  wake_.notify_one();
  if (watcher_.joinable()) watcher_.join();
  narrow_.dismiss();
  if (blocked_before_) ::pthread_sigmask(SIG_SETMASK, &*blocked_before_, nullptr);
}

bool CpuFollower::begin_watching() {
  if (watcher_.joinable()) return true;
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // signals to strut must interrupt the thread that waits
  try {
    watcher_ = std::thread(&CpuFollower::watch, this);
  } catch (const std::system_error&) {
    way_ = Way::None;
  }
  if (way_ == Way::Narrow) {
    blocked_before_ = before;
    sigaddset(&before, SIGCHLD);  // to a thread that is traced it would be a stop at every tracee's end
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return way_ != Way::None;
}

void CpuFollower::engage(Tid tid, uint64_t time_ns) {
  if (way_ == Way::None || !backoff_.allows(time_ns)) return;
  if (way_ == Way::Narrow && seen_.stops.load(std::memory_order_relaxed) < kStopsWorthAGuardian) return;
  if (!begin_watching() || (way_ == Way::Narrow && !narrow_.ready())) return;
  std::lock_guard lock(changing_);
  if (!move_locked(tid)) return;
  backoff_.engaged(time_ns);
  engaged_ = true;
  wake_.notify_one();  // the watcher makes the tracer SCHED_IDLE
}

void CpuFollower::release() {
  pace_.relax();
  std::lock_guard lock(changing_);
  release_locked();
}

void CpuFollower::give_way() {
  pace_.relax();
  std::lock_guard lock(changing_);
  if (!engaged_) return;  // the watcher was faster
  release_locked();
  backoff_.begin();
}

void CpuFollower::let_go(Tid tid) {
  kin_is_traced_ = false;
  std::lock_guard lock(changing_);
  if (narrow_.holder() == tid) narrow_.give_back();
}

void CpuFollower::bury(Tid tid) {
  if (narrow_.holder() != tid) return;
  std::lock_guard lock(changing_);
  if (narrow_.holder() == tid) narrow_.forget();
}

void CpuFollower::check(Tid tid) {
  pace_.checked();
  if (way_ == Way::Idle) return move_idle(tid);
  std::lock_guard lock(changing_);
  if (!engaged_) return;  // the watcher was faster
  if (tid != followed() || !narrow_.intact()) narrow_.give_back();
  if (!move_locked(tid)) release_locked();
}

// On its new CPU a SCHED_IDLE tracer may wait for long: not with the lock, which the watcher needs to end that.
void CpuFollower::move_idle(Tid tid) {
  std::optional<int> cpu = last_cpus_.of(tid);
  {
    std::lock_guard lock(changing_);
    if (!engaged_) return;
    seen_.followed = tid;
    if (cpu == tracer_.number()) return;
    if (!cpu || !tracer_.home().contains(*cpu)) return release_locked();
    tracer_.is_about_to_pin(*cpu);
  }
  bool is_there = set_affinity(0, CpuMask::only(*cpu));
  if (is_there && engaged()) return;
  std::lock_guard lock(changing_);
  if (engaged_) release_locked();
  else tracer_.go_home();  // the watcher has released it before it moved
}

/// Goes where the tracee ran last, or stays where it is: a narrow tracee comes to it. False: that is not known, or not
/// allowed.
bool CpuFollower::move_locked(Tid tid) {
  seen_.followed = tid;
  if (way_ == Way::Narrow) return tracer_.is_pinned() || tracer_.pin(::sched_getcpu());
  auto cpu = last_cpus_.of(tid);
  return cpu && tracer_.pin(*cpu);
}

void CpuFollower::release_locked() {
  narrow_.give_back();
  if (!tracer_.is_pinned()) return;
  engaged_ = false;
  if (way_ == Way::Idle) tracer_.set_policy(SCHED_OTHER);
  tracer_.unpin();
}

// -- the narrow way ------------------------------------------------------------------------------------------------

void CpuFollower::narrow_or_not(Tracee& tracee, TraceeTable& tracees) {
  Exposure exposure = tracee.place() == Place::Inside ? exposure_of(tracee) : Exposure::None;
  Tid holder = narrow_.holder();
  if (holder != Tid{}) {
    if (exposure == Exposure::None || (exposure == Exposure::Itself && holder != tracee.tid)) return;
    std::lock_guard lock(changing_);
    return narrow_.give_back();
  }
  if (exposure != Exposure::None || tracee.tid != followed() || !unseen(tracee, tracees)) return;
  std::lock_guard lock(changing_);
  if (!engaged_ || narrow_locked(tracee.tid)) return;
  release_locked();
  backoff_.begin();
}

/// Whether no untraced process shares memory with the tracee or is its child, and no tracee is about to inspect it.
bool CpuFollower::unseen(const Tracee& tracee, TraceeTable& tracees) const {
  if (tracees.size() > kMaxCompany) return false;
  if (tracees.size() > 1)
    for (auto& [tid, other] : tracees) {
      if (other->just_attached) return false;  // it may still be in a call without a seen enter
      if (other->place() == Place::Inside && exposure_of(*other) == Exposure::Anybody) return false;
    }
  return kin_is_traced_ || kin_is_among(tracee.pid, tracees);
}

bool CpuFollower::narrow_locked(Tid tid) {
  std::optional<PinnedMask> plan = plan_pinning(raw(tid), tracer_.number());
  if (!plan) return false;
  if (!plan->original.contains(tracer_.number())) {
    std::optional<int> cpu = first_common(plan->original, tracer_.home());
    if (!cpu || !tracer_.pin(*cpu)) return false;
    plan->cpu = *cpu;
  }
  return plan->original.count() == 1 || narrow_.narrow(*plan);
}

// -- the watcher ---------------------------------------------------------------------------------------------------

void CpuFollower::watch() {
  if (way_ == Way::Narrow) narrow_.prepare(Tid{tracer_.tid()});
  std::unique_lock lock(changing_);
  while (!ending_) {
    wake_.wait(lock, [this] { return ending_ || engaged_; });
    // The tracer itself would lose its CPU with the lock in its hands.
    if (engaged_ && way_ == Way::Idle) tracer_.set_policy(SCHED_IDLE);
    TracerLooks looks(tracer_.tid());
    while (engaged_ && !ending_) {
      wake_.wait_for(lock, TracerLooks::kEvery, [this] { return ending_; });
      if (engaged_ && time_to_release(looks)) release_locked();
    }
  }
}

bool CpuFollower::time_to_release(TracerLooks& looks) {
  using Verdict = TracerLooks::Verdict;
  if (way_ == Way::Narrow && !narrow_.guarded()) return backoff_.begin_for_ever(), true;
  bool others_run = seen_.company.load(std::memory_order_relaxed) == Company::Others;
  Verdict verdict = way_ == Way::Idle ? looks.look_at_idle(raw(followed()), others_run)
                                      : looks.look_at_narrow(seen_.stops.load(std::memory_order_relaxed));
  if (verdict == Verdict::Starves) backoff_.begin();
  return verdict != Verdict::GoesOn;
}

}  // namespace strut
