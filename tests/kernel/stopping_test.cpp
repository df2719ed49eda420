// The processes that are stopped for good: followed ones, and none that got an id of theirs.
#include <doctest/doctest.h>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

#include "kassist/syscalls/stopping.hpp"
#include "procfs/process_status.hpp"

namespace strut::test {
namespace {

constexpr int kPatience_ms = 60'000;

/// A process that sleeps until this ends.
class Sleeper {
 public:
  Sleeper() : pid_(::fork()) {
    for (; pid_ == 0;) ::pause();
  }
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Sleeper(const Sleeper&) = delete;
  Pid pid() const { return Pid{pid_}; }
  FollowedId id() const { return {Tid{pid_}, Pid{pid_}}; }
  char state() const { return state_of(Tid{pid_}); }

 private:
  pid_t pid_;
};

}  // namespace

TEST_CASE("stopping: a process is stopped only if it is marked as followed") {
  auto programs = Programs::load({});
  REQUIRE(programs);
  Sleeper followed, stranger;
  REQUIRE(programs->mark(followed.pid(), WIRE_FOLLOWED));
  const FollowedId known[] = {followed.id(), stranger.id()};
  Stopping stopping(*programs);
  stopping.look(known);
  for (int i = 0; i < kPatience_ms && followed.state() != 'T'; i++) ::usleep(1000);
  CHECK(followed.state() == 'T');
  CHECK(stranger.state() != 'T');
}

}  // namespace strut::test
