#include "ptrace/cpu/tracer_looks.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include <sys/wait.h>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

constexpr int kStarvedLooks = 2;  ///< looks in a row at which the tracer was runnable and had hardly run since the last
constexpr uint64_t kLittle_ns = 500'000;  ///< a tracer that ran for less has hardly run
constexpr int kIdleLooks = 25;  ///< looks in a row at which the tracer slept
constexpr int kQuietLooks = 2;  ///< looks in a row without a stop since the last
constexpr int kCrowdedLooks = 5;  ///< looks over which the wait for a CPU is added up

/// A thread's state (/proc/TID/stat) and times (/proc/TID/schedstat) at this moment.
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

/// The tracer starves if it is runnable, hardly runs, and a tracee waits for it. A followed tracee that runs may spin
/// on the tracer's CPU until another one, which waits for the tracer, goes on.
TracerLooks::Verdict TracerLooks::look_at_idle(pid_t followed, bool others_run) {
  Look tracer(tracer_), tracee(followed);
  bool stuck = tracer.state == 'R' && tracer.running_ns - running_ns_ < kLittle_ns &&
               (tracee.state == 't' || others_run || a_tracee_waits());
  starved_ = stuck ? starved_ + 1 : 0;
  idle_ = tracer.state == 'S' ? idle_ + 1 : 0;
  running_ns_ = tracer.running_ns;
  if (starved_ >= kStarvedLooks) return Verdict::Starves;
  return idle_ >= kIdleLooks ? Verdict::HasNothingToDo : Verdict::GoesOn;
}

TracerLooks::Verdict TracerLooks::look_at_narrow(uint64_t stops) {
  quiet_ = stops == stops_ ? quiet_ + 1 : 0;
  stops_ = stops;
  if (quiet_ >= kQuietLooks) return Verdict::HasNothingToDo;
  return is_crowded() ? Verdict::Starves : Verdict::GoesOn;
}

/// Whether the tracer has waited for its CPU for most of the last looks: other processes have no other CPU, or another
/// tracer has chosen the same one.
bool TracerLooks::is_crowded() {
  if (looks_++ % kCrowdedLooks != 0) return false;
  std::optional<uint64_t> before = std::exchange(waiting_ns_, Look(tracer_).waiting_ns);
  constexpr uint64_t kMost_ns = std::chrono::nanoseconds(kEvery).count() * kCrowdedLooks / 2;
  return before && *waiting_ns_ - *before >= kMost_ns;
}

}  // namespace strut
