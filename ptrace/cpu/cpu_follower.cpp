#include "ptrace/cpu/cpu_follower.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/kin.hpp"

namespace strut {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(4);
constexpr int kStarvedLooks = 2;  ///< in a row, at which the tracer wanted to run and had hardly since the one before
constexpr uint64_t kLittle_ns = 500'000;
constexpr int kIdleLooks = 25;  ///< looks in a row at which it had nothing to do
constexpr int kQuietLooks = 2;  ///< in a row, without a stop since the one before
constexpr int kCrowdedLooks = 5;
constexpr uint64_t kStopsWorthAGuardian = 128;
constexpr size_t kMaxCompany = 256;  ///< tracees to be asked before one is narrowed
constexpr uint64_t kFirstBackoff_ns = 30'000'000;
constexpr uint64_t kLongestBackoff_ns = 4'000'000'000;
constexpr uint64_t kLasting = 4;  ///< an arrangement for so many times the last wait was a good one: waits begin anew

void set_policy(pid_t tid, int policy) {
  sched_param none{};
  ::sched_setscheduler(tid, policy, &none);
}

/// How a thread stands at this moment: its state of /proc/TID/stat, its times of /proc/TID/schedstat.
struct Look {
  char state = '?';
  uint64_t running_ns = 0;
  uint64_t waiting_ns = 0;  ///< for a CPU
  explicit Look(int32_t tid) {
    auto stat = read_proc_file(thread_stat_path(tid), 1024);
    size_t close = stat ? stat->rfind(')') : std::string::npos;
    if (close != std::string::npos && close + 2 < stat->size()) state = (*stat)[close + 2];
    auto times = read_proc_file(proc_path(tid, "schedstat"), 128);
    if (!times) return;
    char* rest;
    running_ns = std::strtoull(times->c_str(), &rest, 10);
    waiting_ns = std::strtoull(rest, nullptr, 10);
  }
};

/// A tracee, of any of strut's threads, has stopped or exited and was not waited for: a child that was made since the
/// last stop, too.
bool a_tracee_waits() {
  siginfo_t stopped{};
  return ::waitid(P_ALL, 0, &stopped, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) == 0 && stopped.si_pid != 0;
}

}  // namespace

LastCpus::~LastCpus() {
  for (const File& file : files_)
    if (file.fd >= 0) ::close(file.fd);
}

std::optional<int> LastCpus::of(Tid tid) {
  File& file = files_[static_cast<uint32_t>(raw(tid)) % files_.size()];
  char text[1024];
  ssize_t got = -1;
  // A file of a thread that is no more does not come to life with a new one of its id: it is opened again.
  if (file.fd >= 0 && file.tid == raw(tid)) got = ::pread(file.fd, text, sizeof text, 0);
  if (got <= 0) {
    if (file.fd >= 0) ::close(file.fd);
    file = {raw(tid), ::open(thread_stat_path(raw(tid)), O_RDONLY | O_CLOEXEC)};
    if (file.fd >= 0) got = ::pread(file.fd, text, sizeof text, 0);
  }
  return got > 0 ? parse_last_cpu({text, static_cast<size_t>(got)}) : std::nullopt;
}

/// The watcher's memory of its looks at one arrangement.
struct CpuFollower::Watch {
  int starved = 0;
  int idle = 0;
  int quiet = 0;
  int looks = 0;
  uint64_t stops = 0;
  uint64_t running_ns = 0;
  std::optional<uint64_t> waiting_ns;
};

/// Requires the right to raise its priority.
bool CpuFollower::may_leave_idle() {
  if (::sched_getscheduler(0) != SCHED_OTHER) return false;
  errno = 0;
  int nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno != 0 || ::setpriority(PRIO_PROCESS, 0, nice - 1) != 0) return false;
  bool raised = ::getpriority(PRIO_PROCESS, 0) == nice - 1;
  ::setpriority(PRIO_PROCESS, 0, nice);
  return raised;
}

/// Under a seccomp filter tracees do not stop at every call.
CpuFollower::Way CpuFollower::way_for(const TraceRequest& request) {
  if (may_leave_idle()) return Way::Idle;
  return request.seccomp_filter ? Way::None : Way::Narrow;
}

CpuFollower::CpuFollower(const TraceRequest& request)
    : self_(::gettid()),
      way_(way_for(request)),
      kin_is_traced_(request.follow && request.attach.empty()),
      backoff_ns_(kFirstBackoff_ns) {
  std::optional<CpuMask> home = affinity_of(0);
  if (home) home_ = *home;
  has_one_cpu_ = home_.count() < 2;
  if (has_one_cpu_ && way_ == Way::Narrow) way_ = Way::None;  // tracees that may go elsewhere would see that
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
  streak_ = 0;
  if (way_ == Way::None || time_ns < not_before_ns_.load(std::memory_order_relaxed)) return;
  if (way_ == Way::Narrow && stops_.load(std::memory_order_relaxed) < kStopsWorthAGuardian) return;
  if (!begin_watching() || (way_ == Way::Narrow && !narrow_.ready())) return;
  std::lock_guard lock(changing_);
  if (!move_locked(tid)) return;
  engaged_at_ns_ = time_ns;
  engaged_ = true;
  wake_.notify_one();  // the watcher makes the tracer SCHED_IDLE
}

void CpuFollower::release() {
  strain_ = 0;
  std::lock_guard lock(changing_);
  release_locked();
}

void CpuFollower::give_way() {
  strain_ = 0;
  std::lock_guard lock(changing_);
  if (!engaged_) return;  // the watcher was faster
  release_locked();
  back_off();
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
  unchecked_ = 0;
  if (way_ == Way::Idle) return move_idle(tid);
  std::lock_guard lock(changing_);
  if (!engaged_) return;  // the watcher was faster
  if (tid != followed_ || !narrow_.intact()) narrow_.give_back();
  if (!move_locked(tid)) release_locked();
}

// On its new CPU a SCHED_IDLE tracer may wait for long: not with the lock, which the watcher needs to end that.
void CpuFollower::move_idle(Tid tid) {
  std::optional<int> cpu = last_cpus_.of(tid);
  {
    std::lock_guard lock(changing_);
    if (!engaged_) return;
    watched_ = raw(tid);
    followed_ = tid;
    if (cpu == cpu_) return;
    if (!cpu || !home_.contains(*cpu)) return release_locked();
    cpu_ = *cpu;
  }
  bool is_there = set_affinity(0, CpuMask::only(*cpu));
  if (is_there && engaged()) return;
  std::lock_guard lock(changing_);
  if (engaged_) release_locked();
  else set_affinity(self_, home_);  // the watcher has released it before it moved
}

/// Goes where the tracee ran last, or stays where it is: a narrow tracee comes to it. False: that is not known, or not
/// allowed.
bool CpuFollower::move_locked(Tid tid) {
  watched_ = raw(tid);
  followed_ = tid;
  if (way_ == Way::Narrow) return cpu_ >= 0 || pin_locked(::sched_getcpu());
  auto cpu = last_cpus_.of(tid);
  return cpu && pin_locked(*cpu);
}

bool CpuFollower::pin_locked(int cpu) {
  if (cpu == cpu_) return true;
  if (!home_.contains(cpu) || !set_affinity(0, CpuMask::only(cpu))) return false;
  cpu_ = cpu;
  return true;
}

void CpuFollower::release_locked() {
  narrow_.give_back();
  if (cpu_ < 0) return;
  engaged_ = false;
  cpu_ = -1;
  if (way_ == Way::Idle) set_policy(self_, SCHED_OTHER);
  set_affinity(self_, home_);
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
  if (exposure != Exposure::None || tracee.tid != followed_ || !unseen(tracee, tracees)) return;
  std::lock_guard lock(changing_);
  if (!engaged_ || narrow_locked(tracee.tid)) return;
  release_locked();
  back_off();
}

/// Whether no untraced process shares memory with the tracee or is its child, and no tracee is about to inspect it.
bool CpuFollower::unseen(const Tracee& tracee, TraceeTable& tracees) {
  if (tracees.size() > kMaxCompany) return false;
  if (tracees.size() > 1)
    for (auto& [tid, other] : tracees) {
      if (other->just_attached) return false;  // it may still be in a call without a seen enter
      if (other->place() == Place::Inside && exposure_of(*other) == Exposure::Anybody) return false;
    }
  return kin_is_traced_ || kin_is_among(tracee.pid, tracees);
}

bool CpuFollower::narrow_locked(Tid tid) {
  std::optional<PinnedMask> plan = plan_pinning(raw(tid), cpu_);
  if (!plan) return false;
  if (!plan->original.contains(cpu_)) {
    std::optional<int> cpu = first_common(plan->original, home_);
    if (!cpu || !pin_locked(*cpu)) return false;
    plan->cpu = cpu_;
  }
  return plan->original.count() == 1 || narrow_.narrow(*plan);
}

// -- the watcher ---------------------------------------------------------------------------------------------------

void CpuFollower::watch() {
  if (way_ == Way::Narrow) narrow_.prepare(Tid{self_});
  std::unique_lock lock(changing_);
  while (!ending_) {
    wake_.wait(lock, [this] { return ending_ || engaged_; });
    // The tracer itself would lose its CPU with the lock in its hands.
    if (engaged_ && way_ == Way::Idle) set_policy(self_, SCHED_IDLE);
    Watch watch;
    while (engaged_ && !ending_) {
      wake_.wait_for(lock, kLookEvery, [this] { return ending_; });
      if (engaged_ && time_to_release(watch)) release_locked();
    }
  }
}

bool CpuFollower::time_to_release(Watch& watch) {
  if (way_ == Way::Idle) return starved(watch);
  if (!narrow_.guarded()) return not_before_ns_ = UINT64_MAX, true;
  uint64_t stops = stops_.load(std::memory_order_relaxed);
  watch.quiet = stops == watch.stops ? watch.quiet + 1 : 0;
  watch.stops = stops;
  return watch.quiet >= kQuietLooks || crowded(watch);
}

/// One look: has the tracer wanted to run, a tracee waiting for it, and hardly has? Or has it nothing to do? A followed
/// tracee that runs may spin on the tracer's CPU until another one, which waits for the tracer, goes on.
bool CpuFollower::starved(Watch& watch) {
  Look tracer(self_), tracee(watched_);
  bool stuck = tracer.state == 'R' && tracer.running_ns - watch.running_ns < kLittle_ns &&
               (tracee.state == 't' || company_.load(std::memory_order_relaxed) == Company::Others || a_tracee_waits());
  watch.starved = stuck ? watch.starved + 1 : 0;
  watch.idle = tracer.state == 'S' ? watch.idle + 1 : 0;
  watch.running_ns = tracer.running_ns;
  if (watch.starved >= kStarvedLooks) back_off();
  return watch.starved >= kStarvedLooks || watch.idle >= kIdleLooks;
}

/// Whether the tracer has waited for its CPU for most of the last looks: other processes have no other CPU, or another
/// tracer has chosen the same one.
bool CpuFollower::crowded(Watch& watch) {
  if (watch.looks++ % kCrowdedLooks != 0) return false;
  uint64_t before = watch.waiting_ns.value_or(UINT64_MAX);
  watch.waiting_ns = Look(self_).waiting_ns;
  constexpr uint64_t kMost_ns = std::chrono::nanoseconds(kLookEvery).count() * kCrowdedLooks / 2;
  if (before == UINT64_MAX || *watch.waiting_ns - before < kMost_ns) return false;
  back_off();
  return true;
}

void CpuFollower::back_off() {
  uint64_t now_ns = monotonic_ns();
  if (now_ns - engaged_at_ns_ > kLasting * backoff_ns_) backoff_ns_ = kFirstBackoff_ns;
  not_before_ns_ = now_ns + backoff_ns_;
  backoff_ns_ = std::min(backoff_ns_ * 2, kLongestBackoff_ns);
}

}  // namespace strut
