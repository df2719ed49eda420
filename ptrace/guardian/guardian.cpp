#include "ptrace/guardian/guardian.hpp"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ptrace/guardian/guardian_ledger.hpp"

namespace strut {
namespace {

/// Shared by this process and those forked from it since; nullptr: there is none.
GuardianLedger* shared = nullptr;

/// Room for the breakpoints of a million functions. Pages take memory when they are written.
constexpr size_t kMemoryBytes = size_t{8} << 20;

void* map_shared(size_t bytes) {
  constexpr int kFlags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

GuardianLedger* map_ledger() {
  void* at = map_shared(sizeof(GuardianLedger));
  if (!at) return nullptr;
  auto* ledger = new (at) GuardianLedger;
  if (void* memory = map_shared(kMemoryBytes)) ledger->memory = {static_cast<std::byte*>(memory), kMemoryBytes};
  return ledger;
}

void unmap(GuardianLedger* ledger) {
  int error = errno;
  if (shared == ledger) shared = nullptr;
  if (!ledger->memory.empty()) ::munmap(ledger->memory.data(), ledger->memory.size());
  ::munmap(ledger, sizeof(GuardianLedger));
  errno = error;
}

/// The child of a child, all signals blocked. False: there is none.
bool fork_guardian(GuardianLedger& ledger) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t between = ::fork();
  if (between == 0) {
    pid_t guardian = ::fork();
    if (guardian == 0) guard(ledger);
    ledger.guardian = guardian;
    ::_exit(0);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  while (between > 0 && ::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
  return between > 0 && ledger.guardian > 0;
}

int pidfd_of(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

void nudge(int pidfd) { ::syscall(SYS_pidfd_send_signal, pidfd, guardian_nudge(), nullptr, 0); }

/// Whether the process has ended within that time; -1: however long it takes.
bool has_ended(int pidfd, int milliseconds) {
  pollfd end{pidfd, POLLIN, 0};
  int got;
  do got = ::poll(&end, 1, milliseconds);
  while (got < 0 && errno == EINTR);
  return got > 0;
}

}  // namespace

bool Guardian::share() {
  if (!shared) shared = map_ledger();
  return shared != nullptr;
}

std::unique_ptr<Guardian> Guardian::fork(GuardianLedger& ledger, Tie tie) {
  int pidfd = fork_guardian(ledger) ? pidfd_of(ledger.guardian) : -1;
  if (pidfd < 0) return nullptr;  // one that may not trace ends with strut at the latest
  // Yama lets only ancestors attach, unless the tracee says otherwise; a kernel without Yama refuses the option.
  ::prctl(PR_SET_PTRACER, ledger.guardian.load(), 0, 0, 0);
  ledger.permitted.store(true);
  nudge(pidfd);
  return std::unique_ptr<Guardian>(new Guardian(&ledger, pidfd, tie));
}

std::unique_ptr<Guardian> Guardian::start(Tid tracer) {
  if (shared && shared->tracer == raw(tracer) && shared->holds) {
    int pidfd = pidfd_of(shared->guardian);
    if (pidfd >= 0) return std::unique_ptr<Guardian>(new Guardian(shared, pidfd, Tie::Borrower));
  }
  GuardianLedger* ledger = map_ledger();
  if (!ledger) return nullptr;
  ledger->tracer = raw(tracer);
  auto guardian = fork(*ledger, Tie::Owner);
  if (!guardian) unmap(ledger);
  else if (!shared || !shared->holds) shared = ledger;
  return guardian;
}

std::unique_ptr<Guardian> Guardian::start(Pid front, Pid tracer, const TracerEnd& end) {
  if (!shared) return nullptr;
  shared->front = raw(front);
  shared->tracer = raw(tracer);
  shared->end = end;
  return fork(*shared, Tie::Borrower);
}

Guardian::~Guardian() {
  if (tie_ == Tie::Owner) {
    ledger_->dismissed.store(true);
    nudge(pidfd_);
    has_ended(pidfd_, -1);
    ::prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    unmap(ledger_);
  }
  ::close(pidfd_);
}

bool Guardian::holds() const { return ledger_->holds.load(); }

bool Guardian::await_hold() const {
  constexpr int kMaxLooks = 40'000;  // on a busy machine
  constexpr useconds_t kLookEvery_us = 50;
  for (int look = 0; look < kMaxLooks && !holds() && alive(); look++) ::usleep(kLookEvery_us);
  return holds();
}

bool Guardian::alive() const { return !has_ended(pidfd_, 0); }

std::span<std::byte> Guardian::memory() { return ledger_->memory; }

UndoRecord& Guardian::record(size_t index) { return ledger_->records[index]; }

}  // namespace strut
