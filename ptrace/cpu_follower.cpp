#include "ptrace/cpu_follower.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/proc/proc_file.hpp"
#include "core/proc/process_status.hpp"
#include "core/clock.hpp"

namespace strut {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(4);
constexpr int kStarvedLooks = 2;  ///< in a row, at which the tracer wanted to run and had not since the one before
constexpr int kIdleLooks = 25;  ///< looks in a row at which it had nothing to do
constexpr uint64_t kFirstBackoff_ns = 30'000'000;
constexpr uint64_t kLongestBackoff_ns = 4'000'000'000;

void set_policy(pid_t tid, int policy) {
  sched_param none{};
  ::sched_setscheduler(tid, policy, &none);
}

/// How a thread stands at this moment: its state of /proc/TID/stat and its running time of /proc/TID/schedstat.
struct Look {
  char state = '?';
  std::string running;
  explicit Look(int32_t tid) {
    auto stat = read_proc_file(proc_path(tid, "stat"), 1024);
    size_t close = stat ? stat->rfind(')') : std::string::npos;
    if (close != std::string::npos && close + 2 < stat->size()) state = (*stat)[close + 2];
    auto schedstat = read_proc_file(proc_path(tid, "schedstat"), 128);
    if (schedstat) running = schedstat->substr(0, schedstat->find(' '));
  }
};

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
    file = {raw(tid), ::open(proc_path(raw(tid), "stat"), O_RDONLY | O_CLOEXEC)};
    if (file.fd >= 0) got = ::pread(file.fd, text, sizeof text, 0);
  }
  return got > 0 ? parse_last_cpu({text, static_cast<size_t>(got)}) : std::nullopt;
}

/// That takes what raising its priority takes.
bool CpuFollower::permitted() {
  if (::sched_getscheduler(0) != SCHED_OTHER) return false;
  errno = 0;
  int nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno != 0 || ::setpriority(PRIO_PROCESS, 0, nice - 1) != 0) return false;
  bool raised = ::getpriority(PRIO_PROCESS, 0) == nice - 1;
  ::setpriority(PRIO_PROCESS, 0, nice);
  return raised;
}

CpuFollower::CpuFollower() : self_(::gettid()), possible_(permitted()), backoff_ns_(kFirstBackoff_ns) {
  CPU_ZERO(&home_);
  possible_ = possible_ && ::sched_getaffinity(0, sizeof home_, &home_) == 0 && CPU_COUNT(&home_) > 1;
}

CpuFollower::~CpuFollower() {
  {
    std::lock_guard lock(changing_);
    release_locked();
    ending_ = true;
  }
  wake_.notify_one();
  if (watcher_.joinable()) watcher_.join();
}

bool CpuFollower::begin_watching() {
  if (watcher_.joinable()) return true;
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // signals to strut must interrupt the thread that waits
  try {
    watcher_ = std::thread(&CpuFollower::watch, this);
  } catch (const std::system_error&) {
    possible_ = false;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return possible_;
}

void CpuFollower::engage(Tid tid, uint64_t time_ns) {
  streak_ = 0;
  if (!possible_ || time_ns < not_before_ns_.load(std::memory_order_relaxed) || !begin_watching()) return;
  std::lock_guard lock(changing_);
  if (!move_locked(tid)) return;
  set_policy(self_, SCHED_IDLE);
  engaged_ = true;
  wake_.notify_one();
}

void CpuFollower::release() {
  strain_ = 0;
  std::lock_guard lock(changing_);
  release_locked();
}

void CpuFollower::check(Tid tid) {
  unchecked_ = 0;
  std::lock_guard lock(changing_);
  if (engaged_ && !move_locked(tid)) release_locked();  // the watcher may have been faster
}

/// Goes where the tracee ran last. False: that is not known, or not allowed.
bool CpuFollower::move_locked(Tid tid) {
  watched_ = raw(tid);
  followed_ = tid;
  auto cpu = last_cpus_.of(tid);
  if (!cpu || *cpu >= CPU_SETSIZE || !CPU_ISSET(*cpu, &home_)) return false;
  if (*cpu == cpu_) return true;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(*cpu, &one);
  if (::sched_setaffinity(0, sizeof one, &one) != 0) return false;
  cpu_ = *cpu;
  return true;
}

void CpuFollower::release_locked() {
  if (cpu_ < 0) return;
  engaged_ = false;
  cpu_ = -1;
  set_policy(self_, SCHED_OTHER);
  ::sched_setaffinity(self_, sizeof home_, &home_);
}

void CpuFollower::watch() {
  std::unique_lock lock(changing_);
  while (!ending_) {
    wake_.wait(lock, [this] { return ending_ || engaged_; });
    int starved = 0, idle = 0;
    std::string running;
    while (engaged_ && !ending_) {
      wake_.wait_for(lock, kLookEvery, [this] { return ending_; });
      if (engaged_ && time_to_release(starved, idle, running)) release_locked();
    }
  }
}

/// One look: has the tracer wanted to run, its tracee waiting for it, and has not? Or has it nothing to do?
bool CpuFollower::time_to_release(int& starved, int& idle, std::string& running) {
  Look tracer(self_), tracee(watched_);
  bool stuck = tracer.state == 'R' && tracer.running == running && tracee.state == 't';
  starved = stuck ? starved + 1 : 0;
  idle = tracer.state == 'S' ? idle + 1 : 0;
  running = std::move(tracer.running);
  if (starved >= kStarvedLooks) {
    not_before_ns_ = monotonic_ns() + backoff_ns_;
    backoff_ns_ = std::min(backoff_ns_ * 2, kLongestBackoff_ns);
  }
  return starved >= kStarvedLooks || idle >= kIdleLooks;
}

}  // namespace strut
