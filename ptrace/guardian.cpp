#include "ptrace/guardian.hpp"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ptrace/control.hpp"
#include "ptrace/stop.hpp"

namespace strut {

struct GuardianLedger {
  pid_t pid = 0;                        ///< the guardian's
  std::atomic<bool> permitted = false;  ///< Yama knows it
  std::atomic<bool> holds = false;
  std::atomic<bool> dismissed = false;
  std::array<UndoRecord, Guardian::kRecords> records;
};

namespace {

/// Tells the guardian to look at what it shares with strut.
constexpr int kNudge = SIGURG;

// -- the guardian's side: after fork() in a process with threads, so nothing but system calls ------------------------

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, kNudge);
  sigaddset(&set, SIGCHLD);
  return set;
}

void close_everything() {
  if (::syscall(SYS_close_range, 0U, ~0U, 0U) == 0) return;
  for (int fd = 0; fd < 1024; fd++) ::close(fd);  // before Linux 5.9
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

/// What ps(1) shows: /proc/PID/stat says where the words of the command line are, and they are this process's own.
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

/// Belongs to nobody's terminal, job, pipe or file system, and is not called strut: who kills that by name means the
/// tracer.
void set_apart() {
  ::setsid();
  close_everything();
  for (int fd = 0; fd < 3; fd++) ::open("/dev/null", O_RDWR);
  [[maybe_unused]] int moved = ::chdir("/");
  rename_process();
  ::signal(SIGCHLD, SIG_DFL);  // ignored, it would not come
}

void undo_all(GuardianLedger& ledger) {
  for (UndoRecord& record : ledger.records) record.undo();
}

/// What the ward's stop asks for. False: it is let go, dead or alive.
bool answer(GuardianLedger& ledger, Tid ward, int status) {
  Stop stop = classify(status);
  auto* event = std::get_if<EventStop>(&stop);
  auto* signal = std::get_if<SignalStop>(&stop);
  if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) return false;
  if (event && event->event == PTRACE_EVENT_EXIT) undo_all(ledger);
  if ((event && event->event == PTRACE_EVENT_EXIT) || ledger.dismissed.load()) {
    detach(ward, signal ? signal->signal : 0);
    return false;
  }
  if (std::holds_alternative<GroupStop>(stop)) restart(ward, Restart::Listening);
  else restart(ward, Restart::Freely, signal ? signal->signal : 0);
  return true;
}

/// Strut says so at once, unless it has been killed in between.
bool await_permission(const GuardianLedger& ledger, Tid ward, const sigset_t& wake) {
  constexpr timespec kPause{0, 10'000'000};
  constexpr int kPatience = 200;
  for (int pause = 0; pause < kPatience && !ledger.permitted.load(); pause++) {
    if (::kill(raw(ward), 0) != 0) return false;
    sigtimedwait(&wake, nullptr, &kPause);
  }
  return ledger.permitted.load();
}

[[noreturn]] void guard(GuardianLedger& ledger, Tid ward) {
  set_apart();
  sigset_t wake = awaited();
  if (!await_permission(ledger, ward, wake) || seize(ward, PTRACE_O_TRACEEXIT) != 0) ::_exit(1);
  ledger.holds.store(true);
  for (;;) {
    if (ledger.dismissed.load()) interrupt(ward);
    int status;
    for (pid_t got; (got = ::waitpid(raw(ward), &status, WNOHANG | __WALL)) != 0;)
      if (got < 0 || !answer(ledger, ward, status)) ::_exit(0);
    sigwaitinfo(&wake, nullptr);
  }
}

/// The child of a child, all signals blocked. 0: there is none.
pid_t fork_guardian(GuardianLedger& ledger, Tid ward) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t between = ::fork();
  if (between == 0) {
    pid_t guardian = ::fork();
    if (guardian == 0) guard(ledger, ward);
    ledger.pid = guardian;
    ::_exit(0);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  while (between > 0 && ::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
  return between > 0 && ledger.pid > 0 ? ledger.pid : 0;
}

int pidfd_of(pid_t pid) { return pid == 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

void nudge(int pidfd) { ::syscall(SYS_pidfd_send_signal, pidfd, kNudge, nullptr, 0); }

/// Whether the process has ended within that time; -1: however long it takes.
bool has_ended(int pidfd, int milliseconds) {
  pollfd end{pidfd, POLLIN, 0};
  int got;
  do got = ::poll(&end, 1, milliseconds);
  while (got < 0 && errno == EINTR);
  return got > 0;
}

}  // namespace

// -- strut's side -------------------------------------------------------------------------------------------------

std::unique_ptr<Guardian> Guardian::start(Tid ward) {
  void* memory = ::mmap(nullptr, sizeof(GuardianLedger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* ledger = new (memory) GuardianLedger;
  int pidfd = pidfd_of(fork_guardian(*ledger, ward));
  if (pidfd < 0) {  // one that nobody permits anything ends with strut at the latest
    int error = errno;
    ::munmap(memory, sizeof(GuardianLedger));
    errno = error;
    return nullptr;
  }
  // Yama lets only ancestors attach, unless the tracee says otherwise; a kernel without Yama refuses the word.
  ::prctl(PR_SET_PTRACER, ledger->pid, 0, 0, 0);
  ledger->permitted.store(true);
  nudge(pidfd);
  return std::unique_ptr<Guardian>(new Guardian(ledger, pidfd));
}

Guardian::~Guardian() {
  ledger_->dismissed.store(true);
  nudge(pidfd_);
  has_ended(pidfd_, -1);
  ::prctl(PR_SET_PTRACER, 0, 0, 0, 0);
  ::close(pidfd_);
  ::munmap(ledger_, sizeof(GuardianLedger));
}

bool Guardian::holds() const { return ledger_->holds.load(); }

bool Guardian::alive() const { return !has_ended(pidfd_, 0); }

UndoRecord& Guardian::record(size_t index) { return ledger_->records[index]; }

}  // namespace strut
