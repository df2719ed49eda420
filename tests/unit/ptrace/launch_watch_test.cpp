#include "ptrace/engine/launch_watch.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "process/interruption.hpp"
#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"
#include "trace/held_command.hpp"

namespace strut::test {
namespace {

TraceRequest command(std::vector<std::string> argv) {
  TraceRequest request;
  request.launch = Launch{.path = argv[0], .argv = argv};
  return request;
}

bool maps(Pid pid, std::string_view part) {
  auto mappings = maps_of(pid);
  if (!mappings) return false;
  for (const Mapping& mapping : *mappings)
    if (mapping.executable && mapping.path.find(part) != std::string::npos) return true;
  return false;
}

int status_of(Pid pid) {
  int status = -1;
  ::waitpid(raw(pid), &status, 0);
  return status;
}

}  // namespace

TEST_CASE("launch watch: a command stands still at each piece of code that its linker maps") {
  auto held = HeldCommand::fork(command({"/bin/sh", "-c", "exit 7"}), nullptr);
  REQUIRE(held);
  Pid pid = held->pid();
  auto watch = make_launch_watch();
  REQUIRE(watch->seize(pid));
  held->release();
  int times = 0;
  bool program_first = false, libc_seen = false, stood = true;
  auto end = watch->run(LaunchWatch::Until::Started, [&](LaunchWatch::Stage stage) {
    if (stage == LaunchWatch::Stage::Started) return;
    if (times++ == 0) program_first = !maps(pid, "libc.so");
    libc_seen = maps(pid, "libc.so");
    auto status = process_status(leader_of(pid));
    stood = stood && status && status->state == 't';
  });
  CHECK(end == LaunchWatch::End::LetGo);
  CHECK(program_first);
  CHECK(libc_seen);
  CHECK(stood);
  CHECK(times >= 2);
  CHECK(status_of(pid) == 7 << 8);
}

TEST_CASE("launch watch: a static program is let go at once") {
  if (::access("/sbin/ldconfig", X_OK) != 0) return;  // Debian's and Ubuntu's is static
  auto held = HeldCommand::fork(command({"/sbin/ldconfig", "--version"}), [] {
    int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, 1);
  });
  REQUIRE(held);
  auto watch = make_launch_watch();
  REQUIRE(watch->seize(held->pid()));
  held->release();
  int times = 0;
  auto end = watch->run(LaunchWatch::Until::Started, [&](LaunchWatch::Stage stage) {
    if (stage == LaunchWatch::Stage::NewCode) times++;
  });
  CHECK(end == LaunchWatch::End::LetGo);
  CHECK(times == 1);
  CHECK(status_of(held->pid()) == 0);
}

TEST_CASE("launch watch: every program that a command executes stands still before it runs") {
  auto held = HeldCommand::fork(command({"/bin/sh", "-c", "kill -URG $$; exec /bin/cat /nonexistent/strut"}), [] {
    int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, 2);
  });
  REQUIRE(held);
  Pid pid = held->pid();
  auto watch = make_launch_watch();
  REQUIRE(watch->seize(pid));
  held->release();
  int starts = 0;
  bool cat_stood = false;
  auto end = watch->run(LaunchWatch::Until::Ended, [&](LaunchWatch::Stage stage) {
    if (stage == LaunchWatch::Stage::Started) return void(starts++);
    auto status = process_status(leader_of(pid));
    cat_stood = cat_stood || (maps(pid, "/cat") && status && status->state == 't');
  });
  CHECK(end == LaunchWatch::End::Dead);
  CHECK(starts == 2);
  CHECK(cat_stood);
  CHECK(status_of(pid) == 1 << 8);
}

TEST_CASE("launch watch: another thread has it let go of a command that runs") {
  auto held = HeldCommand::fork(command({"/bin/sleep", "1000"}), nullptr);
  REQUIRE(held);
  Pid pid = held->pid();
  struct sigaction nudged{}, before{};
  nudged.sa_handler = [](int) {};
  ::sigaction(SIGURG, &nudged, &before);
  auto watch = make_launch_watch();
  std::atomic<bool> is_started = false, is_over = false;
  LaunchWatch::End end = LaunchWatch::End::Dead;
  std::thread watching([&] {
    if (!watch->seize(pid)) return;
    held->release();
    end = watch->run(LaunchWatch::Until::Ended, [&](LaunchWatch::Stage stage) {
      if (stage == LaunchWatch::Stage::Started) is_started = true, is_started.notify_all();
    });
    is_over = true;
  });
  is_started.wait(false);
  watch->leave();
  while (!is_over) {
    ::pthread_kill(watching.native_handle(), SIGURG);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  watching.join();
  ::sigaction(SIGURG, &before, nullptr);
  CHECK(end == LaunchWatch::End::Interrupted);
  auto status = process_status(leader_of(pid));
  CHECK((status && status->tracer == 0));
  ::kill(raw(pid), SIGKILL);
  CHECK(status_of(pid) == SIGKILL);
}

TEST_CASE("launch watch: a command that cannot be executed is dead") {
  auto held = HeldCommand::fork(command({"/nonexistent/strut"}), nullptr);
  REQUIRE(held);
  auto watch = make_launch_watch();
  REQUIRE(watch->seize(held->pid()));
  held->release();
  CHECK(watch->run(LaunchWatch::Until::Started, [](LaunchWatch::Stage) { FAIL_CHECK("there is no new code"); }) ==
        LaunchWatch::End::Dead);
  CHECK(status_of(held->pid()) == 1 << 8);
}

TEST_CASE("launch watch: where another tracer is, it says so, and the command runs") {
  auto held = HeldCommand::fork(command({"/bin/sh", "-c", "exit 5"}), nullptr);
  REQUIRE(held);
  Pid pid = held->pid();
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  pid_t other = ::fork();
  if (other == 0) {
    char byte = ::ptrace(PTRACE_SEIZE, raw(pid), 0, 0) == 0 ? 'y' : 'n';
    [[maybe_unused]] ssize_t written = ::write(ready[1], &byte, 1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  REQUIRE(byte == 'y');
  auto watch = make_launch_watch();
  auto seized = watch->seize(pid);
  REQUIRE(!seized);
  CHECK(seized.error().code == EPERM);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  held->release();
  CHECK(status_of(pid) == 5 << 8);
  for (int end : ready) ::close(end);
}

TEST_CASE("launch watch: a signal to strut ends it") {
  auto held = HeldCommand::fork(command({"/bin/sh", "-c", "exit 6"}), nullptr);
  REQUIRE(held);
  Interruption interruption(Interruptible::Default, Waits::InTheKernel);
  auto watch = make_launch_watch();
  REQUIRE(watch->seize(held->pid()));
  held->release();
  struct sigaction ignored{}, before{};
  ignored.sa_handler = [](int) {};  // Interruption's nudges
  ::sigaction(SIGALRM, &ignored, &before);
  CHECK(watch->run(LaunchWatch::Until::Started, [](LaunchWatch::Stage) { ::kill(::getpid(), SIGTERM); }) ==
        LaunchWatch::End::Interrupted);
  itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  CHECK(status_of(held->pid()) == 6 << 8);
}

TEST_CASE("launch watch: a killed strut harms no process") {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int fatal = 1; fatal <= 2; fatal++) {
    pid_t strut = ::fork();
    if (strut == 0) {
      auto held = HeldCommand::fork(command({"/bin/sh", "-c", "exit 9"}), nullptr);
      auto watch = make_launch_watch();
      if (!held || !watch->seize(held->pid())) ::_exit(1);
      Interruption interruption(Interruptible::Default, Waits::InTheKernel);  // forgets the signal of an earlier test
      held->release();
      int times = 0;
      watch->run(LaunchWatch::Until::Started, [&](LaunchWatch::Stage stage) {
        if (stage == LaunchWatch::Stage::Started) return;
        if (++times == fatal) ::kill(::getpid(), SIGKILL);
      });
      ::_exit(2);
    }
    CHECK(status_of(Pid{strut}) == SIGKILL);
    int status = -1;
    while (::waitpid(-1, &status, __WALL) < 0 && errno == EINTR) {
    }
    CHECK(status == 9 << 8);
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace strut::test
