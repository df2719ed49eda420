// kill -9 of strut at random instants while hot functions have breakpoints: the target ends right, and nothing stays.
#include <cstdlib>
#include <random>
#include <thread>

#include "host_scene.hpp"
#include "process/tracer_process.hpp"
#include "procfs/maps.hpp"
#include "procfs/process_status.hpp"
#include "procfs/remote_memory.hpp"

extern "C" {
extern const char host_leaf_end[];
long host_leaf(long a, long b);
}

namespace strut::test {
namespace {

__attribute__((noinline)) long hot(long x) {
  asm volatile("" : "+r"(x));
  return x + 3;
}

int compute(Shared& shared) {
  auto work = [&](long from) {
    for (long i = from; shared.stage < 2; i++) {
      if (hot(i) != i + 3 || host_leaf(0, 0) != host_leaf(0, 0)) shared.result = -1;
      shared.kept.fetch_add(1, std::memory_order_relaxed);
    }
  };
  std::thread other(work, 1000);
  work(0);
  other.join();
  return 6;
}

/// The process that users run and kill.
[[noreturn]] void play_strut(Pid pid, const std::vector<uint64_t>& sites, Shared& shared) {
  if (!TracerProcess::separate(TracerProcess::Launches::Yes)) ::_exit(1);
  Interruption forgets_what_was_caught(Interruptible::AnyTime, Waits::Briefly);
  auto host = make_ptrace_probe_host();
  Counting counting;
  if (!host->attach(pid, counting)) ::_exit(2);
  shared.result = 1;
  for (;;) {
    host->insert(pid, breakpoints_at(sites));
    if (!host->serve(monotonic_ns() + 50'000'000, counting)) ::_exit(3);
  }
}

bool wait_until(auto&& condition) {
  for (int i = 0; i < 20'000; i++) {
    if (condition()) return true;
    ::usleep(500);
  }
  return false;
}

bool is_as_before(Pid pid, size_t mappings) {
  std::byte now[48];
  RemoteMemory memory(leader_of(pid));
  if (memory.read(Addr{address_of(hot)}, now).bytes != sizeof now ||
      std::memcmp(now, reinterpret_cast<void*>(hot), 16) != 0)
    return false;
  memory.read(Addr{address_of(host_leaf)}, now);
  return std::memcmp(now, reinterpret_cast<void*>(host_leaf), sizeof now) == 0 &&
         maps_of(pid).value().size() == mappings;
}

void kill_once(uint64_t after_us) {
  SharedMemory shared;
  Pid pid = target(*shared, [&] { return compute(*shared); });
  shared->stage = 1;
  REQUIRE(wait_until([&] { return shared->kept > 1000; }));
  size_t mappings = maps_of(pid).value().size();
  auto sites = instructions(reinterpret_cast<void*>(host_leaf), host_leaf_end);
  sites.push_back(address_of(hot));
  pid_t strut = ::fork();
  if (strut == 0) play_strut(pid, sites, *shared);
  if (after_us > 2000) REQUIRE(wait_until([&] { return shared->result == 1; }));
  ::usleep(static_cast<useconds_t>(after_us % 4000));
  ::kill(strut, SIGKILL);
  int status = -1;
  ::waitpid(strut, &status, 0);
  CHECK(WIFSIGNALED(status));
  // The tracer may still be about to attach.
  CHECK(wait_until([&] {
    auto now = process_status(leader_of(pid));
    return now && now->tracer == 0 && is_as_before(pid, mappings);
  }));
  long before = shared->kept;
  CHECK(wait_until([&] { return shared->kept > before + 100; }));
  shared->stage = 2;
  ::waitpid(raw(pid), &status, 0);
  CHECK(status == 6 << 8);
  CHECK(shared->result >= 0);
}

}  // namespace

TEST_CASE("probe host: kill -9 of strut at random instants") {
  std::mt19937 random(static_cast<unsigned>(monotonic_ns()));
  const char* rounds = std::getenv("STRUT_KILLS");
  for (int round = rounds ? std::atoi(rounds) : 20; round > 0; round--) kill_once(random() % 8000);
}

TEST_CASE("tracer process: hands signals on, and ends as its child ends") {
  for (int signal : {0, SIGINT, SIGKILL}) {
    SharedMemory shared;
    pid_t strut = ::fork();
    if (strut == 0) {
      pid_t before = ::getpid();
      if (!TracerProcess::separate(TracerProcess::Launches::Yes) || ::getpid() == before ||
          ::getpgrp() == TracerProcess::home_group())
        ::_exit(1);
      ::signal(SIGINT, [](int) { ::_exit(77); });
      shared->kept = ::getpid();
      shared->stage = 1;
      if (signal == SIGKILL) ::raise(SIGKILL);
      while (signal != 0) ::pause();
      ::_exit(5);
    }
    wait_for_stage(*shared, 1);
    if (signal == SIGINT) ::kill(strut, SIGINT);
    int status = -1;
    ::waitpid(strut, &status, 0);
    if (signal == SIGKILL) CHECK(WIFSIGNALED(status));
    else CHECK(status == (signal == 0 ? 5 : 77) << 8);
  }
}

}  // namespace strut::test
