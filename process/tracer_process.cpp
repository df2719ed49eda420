#include "process/tracer_process.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "process/wait_status.hpp"

namespace strut {
namespace {

/// The signal that the child gets when its parent has died (PR_SET_PDEATHSIG), or is about to.
int orphan_signal() { return SIGRTMAX - 3; }
constexpr suseconds_t kInterruptEvery_us = 5000;
/// Goes with signals that the kernel sent.
constexpr int kOfTheKernel = 0x6b657973;

volatile sig_atomic_t orphaned = 0;
bool separated = false;
pid_t group = 0;
TracerProcess::Known known_as{};
/// Memory shared by the front process and those forked from it; nullptr: there was no memory for it.
struct Shared {
  std::atomic<uint32_t> steps = 0;
  std::atomic<bool> ends_by_itself = false;
};
Shared* shared = nullptr;

void interrupted_by_timer(int) {}

/// A timer is to interrupt and nothing else.
void outlive_alarms() {
  struct sigaction now{};
  if (::sigaction(SIGALRM, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  now = {};
  now.sa_handler = interrupted_by_timer;
  ::sigaction(SIGALRM, &now, nullptr);
}

void note_orphan(int) {
  orphaned = 1;
  // A dead front process prints nothing, and the tracer may be waiting for a reader of its message, its targets for the
  // tracer: the write is restarted (SA_RESTART), into nothing.
  int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  // Between a look at the flag and a wait there is a gap; the timer interrupts a wait that begins there.
  outlive_alarms();
  itimerval nudge{{0, kInterruptEvery_us}, {0, kInterruptEvery_us}};
  ::setitimer(ITIMER_REAL, &nudge, nullptr);
}

/// All signals that can be passed on; job-control signals act on the process itself.
sigset_t handed_on() {
  sigset_t set;
  sigfillset(&set);
  for (int signal : {SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT})
    sigdelset(&set, signal);
  return set;
}

[[noreturn]] void end_as(int status) {
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
  int signal = WTERMSIG(status);
  ::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

bool is_to_end(int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT; }

/// A tracer that is stopped (SIGSTOP) keeps its targets stopped: it has to run to let them go.
void hand_on(pid_t tracer, const siginfo_t& info) {
  sigval word{};
  word.sival_int = kOfTheKernel;
  if (info.si_code != SI_KERNEL || ::sigqueue(tracer, info.si_signo, word) != 0) ::kill(tracer, info.si_signo);
  if (is_to_end(info.si_signo)) ::kill(tracer, SIGCONT);
}

/// The process that users know from here on. The tracer begins when a byte has come out of the gate.
[[noreturn]] void stand_for(pid_t tracer, int gate, const sigset_t& signals, const TracerProcess::Standing& standing) {
  auto at_end = standing ? standing(Pid{tracer}) : std::function<void(int)>();
  [[maybe_unused]] ssize_t written = ::write(gate, "", 1);
  ::close(gate);
  for (;;) {
    siginfo_t ended{};  // first: setting a disposition has discarded pending signals
    if (::waitid(P_PID, static_cast<id_t>(tracer), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == tracer) {
      if (at_end) at_end(wait_status_of(ended));
      int status = 0;
      ::waitpid(tracer, &status, 0);
      end_as(status);
    }
    siginfo_t info{};
    int signal = sigwaitinfo(&signals, &info);
    if (signal > 0 && signal != SIGCHLD) hand_on(tracer, info);
  }
}

/// The child's relation to the terminal: a command's tracer has a job of its own, others have a session.
void take_place(TracerProcess::Launches launches, pid_t home) {
  if (launches == TracerProcess::Launches::Yes) {
    group = home;
    ::setpgid(0, 0);
  } else {
    ::setsid();
  }
}

/// Also where `parent` has died by now. Afterwards the signal is no more blocked in `mask`.
void hear_of_orphanage(pid_t parent, sigset_t& mask) {
  struct sigaction action{};
  action.sa_handler = note_orphan;
  action.sa_flags = SA_RESTART;
  ::sigaction(orphan_signal(), &action, nullptr);
  sigdelset(&mask, orphan_signal());
  ::prctl(PR_SET_PDEATHSIG, orphan_signal());
  if (::getppid() != parent) note_orphan(0);
}

/// A front process that is killed meanwhile closes its end only when it is dead, and its guardian lets it die only when
/// the tracer has ended: so the tracer ends as soon as it is orphaned. Signals interrupt the wait again and again then
/// (note_orphan).
void wait_at(const OwnedFd& gate) {
  char go;
  ssize_t got;
  do got = ::read(gate.number(), &go, 1);
  while (got < 0 && errno == EINTR && !orphaned);
  if (got != 1) ::_exit(128 + SIGKILL);
}

/// In the new process, with the signals blocked; `before` is the mask that it is to have.
void become_tracer(pid_t parent, sigset_t& before, OwnedFd gate) {
  // Yama lets only ancestors attach, which the guardian is not, unless the tracee says otherwise.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  hear_of_orphanage(parent, before);
  ::prctl(PR_SET_NAME, "guardian");  // killing strut by name means the other process
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  wait_at(gate);
  ::prctl(PR_SET_PTRACER, 0, 0, 0, 0);
}

void share() {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) shared = new (memory) Shared;
}

}  // namespace

Result<void> TracerProcess::separate(Launches launches, const Standing& standing) {
  if (separated) return {};
  pid_t parent = ::getpid(), home = ::getpgrp();
  Known before_fork = known();
  share();
  sigset_t signals = handed_on(), before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  int gate[2];
  pid_t child = ::pipe2(gate, O_CLOEXEC) == 0 ? ::fork() : -1;
  if (child < 0) {
    int error = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return fail({error, "fork", {}, {}, {}});
  }
  if (child > 0) {
    if (launches == Launches::Yes) ::setpgid(child, child);
    ::signal(SIGCHLD, SIG_DFL);  // ignored, it would not come
    ::close(gate[0]);
    stand_for(child, gate[1], signals, standing);
  }
  ::close(gate[1]);
  separated = true;
  known_as = before_fork;
  take_place(launches, home);
  become_tracer(parent, before, OwnedFd(gate[0]));
  return {};
}

TracerProcess::Known TracerProcess::known() { return separated ? known_as : Known{Pid{::getpid()}, Pid{::getppid()}}; }

bool TracerProcess::is_orphaned() { return orphaned != 0; }

void TracerProcess::report_orphaned(int pidfd) { ::syscall(SYS_pidfd_send_signal, pidfd, orphan_signal(), nullptr, 0); }

void TracerProcess::note_progress() {
  if (shared) shared->steps.fetch_add(1, std::memory_order_relaxed);
}

uint32_t TracerProcess::progress() { return shared ? shared->steps.load(std::memory_order_relaxed) : 0; }

void TracerProcess::note_end() {
  if (shared) shared->ends_by_itself = true;
}

bool TracerProcess::ended_by_itself() { return shared && shared->ends_by_itself; }

bool TracerProcess::is_typed(const siginfo_t& info) {
  if (info.si_code == SI_KERNEL) return true;
  return separated && info.si_code == SI_QUEUE && info.si_pid == ::getppid() && info.si_value.sival_int == kOfTheKernel;
}

int32_t TracerProcess::home_group() { return group; }

void TracerProcess::rejoin() {
  if (group != 0) ::setpgid(0, group);
}

}  // namespace strut
