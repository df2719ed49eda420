// The guardian's side: it waits for the processes that it traces, and undoes when the tracer dies.
//
// It is forked from a process that may have threads, so it makes system calls and nothing else.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "process/tracer_process.hpp"
#include "procfs/proc_root.hpp"
#include "ptrace/guardian/guardian_ledger.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {
namespace {

/// The longest inactivity of a tracer with a dying front process, before it is taken to be stuck. The kernel may take
/// seconds to remove thousands of uprobes on a busy machine.
constexpr int kLookEvery_ms = 100, kStuckAfterLooks = 200;

/// All descriptors but that of a procfs of strut's own.
void close_everything() {
  auto kept = static_cast<unsigned>(proc_root_descriptor());  // ~0: none
  bool below = kept == 0 || ::syscall(SYS_close_range, 0U, kept - 1, 0U) == 0;
  if (below && (kept + 1 == 0 || ::syscall(SYS_close_range, kept + 1, ~0U, 0U) == 0)) return;
  for (int fd = 0; fd < 1024; fd++)  // before Linux 5.9
    if (static_cast<unsigned>(fd) != kept) ::close(fd);
}

/// The number in the nth field of a line of /proc/PID/stat; the second one may hold anything, so that 3 and later count
/// from its end.
uintptr_t field_of(const char* line, int nth) {
  const char* at = std::strrchr(line, ')');
  for (int field = 2; at && field < nth; field++) at = std::strchr(at + 1, ' ');
  uintptr_t number = 0;
  for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9'; at++) number = number * 10 + static_cast<uintptr_t>(*at - '0');
  return number;
}

/// The text of ps(1): /proc/PID/stat has the place of the command line's words, and they are this process's own.
void rename_process() {
  static constexpr char kName[] = "guardian";
  ::prctl(PR_SET_NAME, kName);
  char line[1024];
  int fd = ::open("/proc/self/stat", O_RDONLY);
  ssize_t got = fd < 0 ? -1 : ::read(fd, line, sizeof line - 1);
  ::close(fd);
  if (got <= 0) return;
  line[got] = '\0';
  uintptr_t start = field_of(line, 48), end = field_of(line, 49);
  if (start == 0 || end < start + sizeof kName) return;
  std::memset(reinterpret_cast<void*>(start), 0, end - start);
  std::memcpy(reinterpret_cast<void*>(start), kName, sizeof kName);
}

/// Belongs to no terminal, job, pipe or file system, and is not called strut: a kill by that name means the front
/// process.
void set_apart() {
  ::setsid();
  close_everything();
  for (int fd = 0; fd < 3; fd++) ::open("/dev/null", O_RDWR);
  [[maybe_unused]] int moved = ::chdir("/");
  rename_process();
  ::signal(SIGCHLD, SIG_DFL);  // ignored, it would not come
}

class Watch {
 public:
  explicit Watch(GuardianLedger& ledger) : ledger_(ledger), tracer_{ledger.tracer.load()}, front_{ledger.front} {
    sigemptyset(&wake_);
    sigaddset(&wake_, guardian_nudge());
    sigaddset(&wake_, SIGCHLD);
  }

  [[noreturn]] void run() {
    if (!await_permission() || !seize_wards()) ::_exit(1);
    while (has_tracer_ || has_front_) {
      if (ledger_.dismissed.load()) interrupt(tracer_);
      while (std::optional<Waited> next = look_at_any(WaitScope::Thread)) handle(*next);
      if (!has_tracer_ && !has_front_) break;
      sleep();
    }
    if (is_undone_) look_afterwards();
    ::_exit(0);
  }

 private:
  /// Strut sets it at once, unless it has been killed in between.
  bool await_permission() {
    constexpr timespec kPause{0, 10'000'000};
    constexpr int kPatience = 200;
    for (int pause = 0; pause < kPatience && !ledger_.permitted.load(); pause++) {
      if (::kill(raw(tracer_), 0) != 0) return false;
      sigtimedwait(&wake_, nullptr, &kPause);
    }
    return ledger_.permitted.load();
  }

  /// A front process that another tracer has is not held; its tracer is guarded all the same. Without the tracer, which
  /// may have been killed already, the front process would wait for a guardian that has nothing to undo.
  bool seize_wards() {
    has_front_ = raw(front_) != 0 && seize(front_, PTRACE_O_TRACEEXIT) == 0;
    has_tracer_ = seize(tracer_, PTRACE_O_TRACEEXIT) == 0;
    if (has_tracer_) ledger_.holds.store(true);
    return has_tracer_;
  }

  void sleep() {
    constexpr timespec kLook{0, kLookEvery_ms * 1'000'000};
    if (!front_waits_) sigwaitinfo(&wake_, nullptr);
    else sigtimedwait(&wake_, nullptr, &kLook);
    // By the clock: a tracer that is stuck may still be woken by timers of its own, and each wakes this one.
    if (!front_waits_ || monotonic_ns() < next_look_ns_) return;
    next_look_ns_ = monotonic_ns() + uint64_t{kLookEvery_ms} * 1'000'000;
    look_for_progress();
  }

  /// The parent of a dead protected process learns of it by the wait that takes its status, so that changes are undone
  /// before.
  void handle(const Waited& seen) {
    Stop stop = classify(seen.status);
    bool is_dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
    if (is_dead && seen.tid == tracer_) {
      undo();
      if (ledger_.end.is_dead) ledger_.end.is_dead();
    }
    int status = seen.status;
    if (::waitpid(raw(seen.tid), &status, WNOHANG | __WALL) > 0) answer(seen.tid, status);
  }

  void answer(Tid ward, int status) {
    Stop stop = classify(status);
    auto* event = std::get_if<EventStop>(&stop);
    auto* signal = std::get_if<SignalStop>(&stop);
    if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) return ended(ward);
    if (event && event->event == PTRACE_EVENT_EXIT) return exits(ward);
    int pending = signal ? signal->signal : 0;
    if (ledger_.dismissed.load()) {
      detach(ward, pending);
      has_tracer_ = false;
    } else if (std::holds_alternative<GroupStop>(stop)) {
      restart(ward, Restart::Listening);
    } else {
      restart_signalled(ward, pending);
    }
  }

  /// SIGKILL takes a ward from its stop at another signal to its PTRACE_EVENT_EXIT, and restarted there unseen it would
  /// die before anything is undone.
  static void restart_signalled(Tid ward, int signal) {
    if (!look_at(ward, Usage::Omit)) restart(ward, Restart::Freely, signal);
  }

  /// Once: at PTRACE_EVENT_EXIT, or later where that was missed.
  void undo() {
    if (!std::exchange(is_undone_, true))
      for (UndoRecord& record : ledger_.records) record.undo();
  }

  /// For 0.4 s, longer where this process gets no CPU: the kernel's work that it waits for gets none either.
  void look_afterwards() {
    constexpr long kFirst_ns = 1'000'000, kLongest_ns = 32'000'000;
    constexpr int kLooks = 16;
    timespec pause{0, kFirst_ns};
    if (std::ranges::none_of(ledger_.records, &UndoRecord::armed)) return;
    for (int look = 0; look < kLooks; look++, pause.tv_nsec = std::min(2 * pause.tv_nsec, kLongest_ns)) {
      ::nanosleep(&pause, nullptr);
      for (UndoRecord& record : ledger_.records) record.look_afterwards();
    }
  }

  Pid tracer_process() const { return Pid{raw(tracer_)}; }

  void exits(Tid ward) {
    if (ward == tracer_) {
      undo();
      if (ledger_.end.dies) ledger_.end.dies(tracer_process());
      restart(ward, Restart::Freely);
    } else if (!has_tracer_) {
      release_front();
    } else {
      front_waits_ = true;
      progress_ = TracerProcess::progress();
      process_ = static_cast<int>(::syscall(SYS_pidfd_open, raw(tracer_), 0));  // it was not waited for yet
      TracerProcess::report_orphaned(process_);
    }
  }

  void ended(Tid ward) {
    if (ward == front_) has_front_ = false;
    if (ward != tracer_) return;
    has_tracer_ = false;
    if (front_waits_) release_front();
  }

  void release_front() {
    if (ledger_.end.is_dead_without_parent) ledger_.end.is_dead_without_parent(tracer_process());
    detach(front_);
    has_front_ = front_waits_ = false;
  }

  /// A tracer that is stuck is killed, and undone like any other that is; where even that does not end it, the front
  /// process does not wait for it.
  void look_for_progress() {
    uint32_t progress = TracerProcess::progress();
    if (progress != progress_) idle_looks_ = 0;
    progress_ = progress;
    idle_looks_++;
    if (idle_looks_ == kStuckAfterLooks) ::syscall(SYS_pidfd_send_signal, process_, SIGKILL, nullptr, 0);
    if (idle_looks_ > 2 * kStuckAfterLooks) release_front();
  }

  GuardianLedger& ledger_;
  Tid tracer_, front_;
  sigset_t wake_{};
  int process_ = -1;  ///< the tracer's pidfd, when the front process waits for it
  bool has_tracer_ = false, has_front_ = false;
  bool is_undone_ = false;
  bool front_waits_ = false;  ///< dying, for the tracer
  uint32_t progress_ = 0;
  int idle_looks_ = 0;
  uint64_t next_look_ns_ = 0;
};

}  // namespace

int guardian_nudge() { return SIGURG; }

[[noreturn]] void guard(GuardianLedger& ledger) {
  set_apart();
  Watch(ledger).run();
}

}  // namespace strut
