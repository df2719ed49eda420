// Which records wake the thread that empties the ring.
#include <doctest/doctest.h>

#include <atomic>

#include <sys/wait.h>
#include <unistd.h>

#include "kassist/loader/programs.hpp"
#include "kassist/transport/ring_reader.hpp"

namespace strut::test {
namespace {

constexpr uint32_t kNever = UINT32_MAX - 1;  ///< a program that wakes the drain writes UINT32_MAX

/// Lets a followed process end. Returns whether its records would have woken the drain.
bool end_wakes(const Tuning& tuning) {
  auto programs = Programs::load(tuning);
  REQUIRE(programs);
  REQUIRE(programs->attach());
  auto ring = RingReader::map(programs->ring(), programs->ring_bytes());
  REQUIRE(ring);
  wire_control& control = programs->control();
  std::atomic_ref(control.consumer.wake_bytes).store(kNever);
  control.throttle.hold_bytes = control.throttle.ask_bytes = kNever;
  std::atomic_ref(control.consumer.limit_bytes).store(static_cast<uint32_t>(programs->ring_bytes()));
  int gate[2];
  REQUIRE(::pipe(gate) == 0);
  pid_t child = ::fork();
  if (child == 0) {
    char byte;
    ::_exit(::read(gate[0], &byte, 1) == 1 ? 0 : 1);
  }
  REQUIRE(programs->mark(Pid{child}, WIRE_FOLLOWED));
  CHECK(::write(gate[1], "", 1) == 1);
  CHECK(::waitpid(child, nullptr, 0) == child);
  CHECK(ring->fill() > 0);
  for (int end : gate) ::close(end);
  return std::atomic_ref(control.consumer.wake_bytes).load() != kNever;
}

}  // namespace

TEST_CASE("wake-ups: the end of a process wakes the drain, but in a system-wide trace") {
  CHECK(end_wakes({}));
  Tuning system_wide;
  system_wide.choice.system_wide = 1;
  system_wide.seeds = 1;
  CHECK_FALSE(end_wakes(system_wide));
}

}  // namespace strut::test
