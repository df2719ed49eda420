#include "ptrace/guardian/breakpoint_rescue.hpp"

#include <doctest/doctest.h>
#include <utility>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ptrace/guardian/ledger_pages.hpp"

namespace strut::test {

namespace {

constexpr size_t kPages = 64;

/// The changes of the process that plays the target.
struct Code {
  volatile uint8_t byte = 0xcc, other = 0xcc;
  volatile uint64_t mark = 0;
  volatile uint16_t raised = 3, not_raised = 2;  ///< semaphores that were 2 before
};

/// Waits for the mark in its own copy of the code, as the handler does, and reports its bytes.
[[noreturn]] void await_mark(Code* code, int report) {
  for (int look = 0; look < 20'000 && code->mark == 0; look++) ::usleep(500);
  auto low = [](uint16_t counter) { return static_cast<uint8_t>(counter); };
  uint8_t bytes[4] = {code->byte, code->other, low(code->raised), low(code->not_raised)};
  [[maybe_unused]] ssize_t written = ::write(report, bytes, sizeof bytes);
  ::_exit(0);
}

pid_t start_target(Code* code, int report) {
  pid_t target = ::fork();
  if (target == 0) await_mark(code, report);
  return target;
}

/// When `go` has a byte it makes a child, with the code as it was before it was restored.
pid_t start_parent(Code* code, int go, int report) {
  pid_t target = ::fork();
  if (target != 0) return target;
  char byte;
  [[maybe_unused]] ssize_t got = ::read(go, &byte, 1);
  Code before;
  pid_t child = ::fork();
  if (child == 0) {
    code->byte = before.byte;
    code->other = before.other;
    code->raised = before.raised;
    code->mark = 0;
    byte = 0;
    [[maybe_unused]] ssize_t written = ::write(report, &byte, 1);
    await_mark(code, report);
  }
  ::waitpid(child, nullptr, 0);
  ::_exit(0);
}

pid_t start_zombie() {
  pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  siginfo_t ended;
  ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT);
  return pid;
}

/// A ledger with one breakpoint and two semaphores of one process.
const LedgerRoot* ledger_in(SharedPool& pool, pid_t target, const Code* code) {
  auto* sites = static_cast<LedgerSitePage*>(pool.take());
  sites->sites[0] = pack_site(reinterpret_cast<uint64_t>(&code->byte), 0x55);
  sites->count = 1;
  auto* image = static_cast<LedgerImage*>(pool.take());
  image->newest = sites;
  auto* semaphores = static_cast<LedgerSitePage*>(pool.take());
  semaphores->sites[0] = pack_site(reinterpret_cast<uint64_t>(&code->raised), 2);
  semaphores->sites[1] = pack_site(reinterpret_cast<uint64_t>(&code->not_raised), 2);
  semaphores->count = 2;
  image->semaphores = semaphores;
  image->mark = reinterpret_cast<uint64_t>(&code->mark);
  auto* spaces = static_cast<LedgerSpacePage*>(pool.take());
  spaces->spaces[0].pid = target;
  spaces->spaces[0].memory = -1;
  spaces->spaces[0].image = image;
  auto* root = static_cast<LedgerRoot*>(pool.take());
  root->pages[0] = spaces;
  root->count = 1;
  return root;
}

/// Memory for a ledger, and a pipe by which targets report.
struct Fixture {
  Fixture() {
    REQUIRE(at != MAP_FAILED);
    REQUIRE(::pipe(report) == 0);
  }
  ~Fixture() {
    for (int end : report) ::close(end);
    ::munmap(at, kBytes);
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  TracerLedger ledger(pid_t tracer, pid_t target) {
    return {Tid{tracer}, ledger_in(pool, target, &code), {static_cast<std::byte*>(at), kBytes}};
  }
  /// One byte has a breakpoint in the ledger, the other has not; one of two counters is higher than before.
  void check_restored() {
    ::close(std::exchange(report[1], -1));  // a target that has died is the end of the pipe
    uint8_t got[4] = {};
    CHECK(::read(report[0], got, sizeof got) == 4);
    CHECK(got[0] == 0x55);
    CHECK(got[1] == 0xcc);
    CHECK(got[2] == 2);
    CHECK(got[3] == 2);
  }

  static constexpr size_t kBytes = kPages * SharedPool::kPageBytes;
  void* at = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  SharedPool pool{std::span(static_cast<std::byte*>(at), kBytes)};
  Code code;
  int report[2] = {-1, -1};
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "breakpoint rescue: code is restored when the tracer is dead already, and marked then") {
  pid_t target = start_target(&code, report[1]), tracer = start_zombie();
  restore_code(ledger(tracer, target));
  check_restored();
  for (pid_t pid : {target, tracer}) ::waitpid(pid, nullptr, 0);
}

TEST_CASE_FIXTURE(Fixture, "breakpoint rescue: a child that appears when its parent's code is restored already") {
  int go[2];
  REQUIRE(::pipe(go) == 0);
  pid_t target = start_parent(&code, go[0], report[1]), tracer = start_zombie();
  TracerLedger known = ledger(tracer, target);
  restore_code(known);
  char byte = 0;
  REQUIRE(::write(go[1], &byte, 1) == 1);
  REQUIRE(::read(report[0], &byte, 1) == 1);
  ::waitpid(tracer, nullptr, 0);
  restore_late_children(known);
  check_restored();
  ::waitpid(target, nullptr, 0);
  for (int end : go) ::close(end);
}

}  // namespace strut::test
