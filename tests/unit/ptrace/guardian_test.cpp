#include "ptrace/guardian/guardian.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/process_status.hpp"

namespace strut::test {

namespace {

/// The memory shared by a process that plays strut, its guardian and the test.
struct DecodeContext {
  std::atomic<int> undone = 0, looks = 0;
  std::atomic<bool> ready = false;
};

DecodeContext* scene = nullptr;

struct Step {
  int worth;
};

void undo_step(const Step& step) { scene->undone += step.worth; }
void look_again(const Step&) { scene->looks++; }

struct Fixture {
  Fixture() {
    void* memory = ::mmap(nullptr, sizeof(DecodeContext), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    scene = new (memory) DecodeContext;
  }
  ~Fixture() { ::munmap(scene, sizeof(DecodeContext)); }
};

bool wait_for(auto&& condition) {
  for (int i = 0; i < 20'000; i++) {
    if (condition()) return true;
    ::usleep(500);
  }
  return false;
}

/// Runs `part` in a child that has a guardian; its result is the child's status.
template <typename Part>
pid_t play(Part part) {
  pid_t child = ::fork();
  if (child != 0) return child;
  auto guardian = Guardian::start(Tid{::getpid()});
  if (!guardian || !wait_for([&] { return guardian->holds(); })) ::_exit(99);
  int status = part(*guardian);
  guardian.reset();
  ::_exit(status);
}

int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "guardian: what is armed is undone before a killed ward is dead") {
  for (int round = 0; round < 20; round++) {
    scene->undone = 0;
    scene->ready = false;
    pid_t child = play([](Guardian& guardian) {
      guardian.record(0).arm<undo_step>(Step{1});
      guardian.record(1).arm<undo_step>(Step{10});
      Step& later = guardian.record(2).arm<undo_step>(Step{0});
      later.worth = 100;
      guardian.record(3).arm<undo_step>(Step{1000});
      guardian.record(3).disarm();
      scene->ready = true;
      for (;;) ::pause();
      return 0;
    });
    REQUIRE(wait_for([] { return scene->ready.load(); }));
    ::kill(child, SIGKILL);
    int status = status_of(child);
    CHECK(WIFSIGNALED(status));
    CHECK(scene->undone == 111);
  }
}

TEST_CASE_FIXTURE(Fixture, "guardian: a ward that is killed while it stops at another signal is undone, too") {
  for (int round = 0; round < 200; round++) {
    scene->undone = 0;
    scene->ready = false;
    pid_t child = play([](Guardian& guardian) {
      guardian.record(0).arm<undo_step>(Step{1});
      ::signal(SIGUSR1, [](int) {});
      scene->ready = true;
      for (;;) ::raise(SIGUSR1);
      return 0;
    });
    REQUIRE(wait_for([] { return scene->ready.load(); }));
    ::usleep(static_cast<useconds_t>(round));
    ::kill(child, SIGKILL);
    int status = status_of(child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(scene->undone == 1);
  }
}

TEST_CASE_FIXTURE(Fixture, "guardian: whatever the ward dies of") {
  for (int signal : {SIGTERM, SIGSEGV}) {
    scene->undone = 0;
    int status = status_of(play([signal](Guardian& guardian) {
      guardian.record(0).arm<undo_step>(Step{1});
      ::signal(signal, SIG_DFL);
      ::kill(::getpid(), signal);
      return 0;
    }));
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    CHECK(scene->undone == 1);
  }
  scene->undone = 0;
  CHECK(status_of(play([](Guardian& guardian) {
          guardian.record(0).arm<undo_step>(Step{1});
          ::_exit(5);
          return 0;
        })) == 5 << 8);
  CHECK(scene->undone == 1);
}

TEST_CASE_FIXTURE(Fixture, "guardian: sent away, it leaves nothing behind") {
  int status = status_of(play([](Guardian& guardian) {
    guardian.record(0).arm<undo_step>(Step{1});
    guardian.record(0).disarm();
    auto guarded = process_status(Tid{::getpid()});
    if (!guarded || guarded->tracer == 0) return 1;
    guardian.~Guardian();
    int child = ::waitpid(-1, nullptr, WNOHANG | __WALL);
    auto alone = process_status(Tid{::getpid()});
    ::_exit(alone && alone->tracer == 0 && child < 0 ? 0 : 2);
    return 0;
  }));
  CHECK(status == 0);
  CHECK(scene->undone == 0);
}

TEST_CASE_FIXTURE(Fixture, "guardian: it looks again when the ward is dead, for what it could not see before") {
  pid_t child = play([](Guardian& guardian) {
    guardian.record(0).arm<undo_step, look_again>(Step{1});
    scene->ready = true;
    for (;;) ::pause();
    return 0;
  });
  REQUIRE(wait_for([] { return scene->ready.load(); }));
  ::kill(child, SIGKILL);
  status_of(child);
  CHECK(scene->undone == 1);
  CHECK(wait_for([] { return scene->looks > 1; }));
  CHECK(scene->undone == 1);
}

TEST_CASE_FIXTURE(Fixture, "guardian: it leaves a front process whose tracer was killed before it came") {
  int status = status_of([] {
    pid_t front = ::fork();
    if (front != 0) return front;
    if (!Guardian::share()) ::_exit(99);
    pid_t tracer = ::fork();
    if (tracer == 0)
      for (;;) ::pause();
    ::kill(tracer, SIGKILL);
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(tracer), &ended, WEXITED | WNOWAIT);
    auto guardian = Guardian::start(Pid{::getpid()}, Pid{tracer}, {});
    ::_exit(!guardian ? 98 : wait_for([&] { return !guardian->alive(); }) ? 0 : 2);
  }());
  CHECK(status == 0);
}

TEST_CASE_FIXTURE(Fixture, "guardian: signals reach the ward, and it notices a dead guardian") {
  int status = status_of(play([](Guardian& guardian) {
    static volatile sig_atomic_t got = 0;
    ::signal(SIGUSR1, [](int) { got = 1; });
    ::raise(SIGUSR1);
    if (!got || !guardian.alive()) return 1;
    ::kill(process_status(Tid{::getpid()})->tracer, SIGKILL);
    return wait_for([&] { return !guardian.alive(); }) ? 0 : 2;
  }));
  CHECK(status == 0);
}

}  // namespace strut::test
