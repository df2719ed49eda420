// Real processes under a probe host: forked from the tests, running functions of the tests.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "pid-provider/displacement.hpp"
#include "process/interruption.hpp"
#include "ptrace/observers/probe_host.hpp"
#include "x86/instruction.hpp"

namespace strut::test {

/// The memory shared by a target and the test.
struct Shared {
  std::atomic<int> stage = 0;  ///< the test says go on
  std::atomic<long> kept = 0;  ///< counted by the target itself
  std::atomic<long> result = 0;
};

class SharedMemory {
 public:
  SharedMemory() {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    shared_ = new (memory) Shared;
  }
  ~SharedMemory() { ::munmap(shared_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared* operator->() const { return shared_; }
  Shared& operator*() const { return *shared_; }

 private:
  Shared* shared_;
};

inline void wait_for_stage(const Shared& shared, int stage) {
  while (shared.stage.load() < stage) ::usleep(200);
}

/// A child that waits for stage 1 and exits with the result of `part`.
template <typename Part>
Pid target(Shared& shared, Part part) {
  pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    wait_for_stage(shared, 1);
    ::_exit(part());
  }
  return Pid{child};
}

/// Instructions of a stretch of the tests' own code, one behind the other.
inline std::vector<uint64_t> instructions(const void* from, const void* to) {
  std::vector<uint64_t> found;
  auto* at = static_cast<const std::byte*>(from);
  while (at < static_cast<const std::byte*>(to)) {
    auto address = reinterpret_cast<uint64_t>(at);
    auto instruction = decode({at, kLongestInstruction}, address);
    REQUIRE(instruction);
    found.push_back(address);
    at += instruction->length;
  }
  return found;
}

constexpr size_t kProgramCounter = offsetof(user_regs_struct, rip) / sizeof(uint64_t);

/// Counts hits by address; tags are addresses. Knows instructions by the tests' own code, which targets share.
class Counting : public ProbeHostObserver {
 public:
  std::map<uint64_t, long> hits;
  std::map<int32_t, long> by_process;
  std::function<void(HaltedThread&, uint64_t)> at;
  std::vector<Pid> created, started, executed_pids;
  std::map<int32_t, int> ended;
  std::vector<int> signals;
  std::vector<std::string> calls;
  std::map<size_t, long> ticks;  ///< for clocks
  std::set<uint64_t> halted_at;
  std::vector<MemoryAccess> accesses;
  uint64_t lost_accesses = 0;
  long returned = 0, threads_created = 0, threads_ended = 0;

  void at_breakpoint(HaltedThread& thread, uint64_t tag) override {
    hits[tag]++;
    by_process[raw(thread.pid())]++;
    if (at) at(thread, tag);
  }
  void at_access(HaltedThread&, std::span<const MemoryAccess> some, uint64_t lost) override {
    accesses.insert(accesses.end(), some.begin(), some.end());
    lost_accesses += lost;
  }
  Displaced displaced(uint64_t tag) override {
    std::byte code[kLongestInstruction];
    std::memcpy(code, reinterpret_cast<const void*>(tag), sizeof code);
    auto instruction = decode(code, tag);
    return instruction ? displace(*instruction, code) : Displaced{};
  }
  void call_entered(HaltedThread&, const Call& call) override { calls.push_back(call.desc->name); }
  void call_returned(HaltedThread&, const Call&) override { returned++; }
  void executed(HaltedThread& thread) override { executed_pids.push_back(thread.pid()); }
  void code_mapped(Pid) override {}
  void linker_done(Pid) override {}
  void process_created(HaltedThread&, Pid child) override { created.push_back(child); }
  void thread_created(HaltedThread&, Tid) override { threads_created++; }
  void thread_started(HaltedThread& thread) override { started.push_back(thread.pid()); }
  void thread_ends(HaltedThread&, int) override { threads_ended++; }
  void sampled(HaltedThread& thread, size_t clock, uint32_t count, bool) override {
    ticks[clock] += count;
    halted_at.insert(thread.registers()[kProgramCounter]);
  }
  void signal_arrives(HaltedThread&, const siginfo_t& signal) override { signals.push_back(signal.si_signo); }
  void process_ended(Pid pid, int status) override { ended[raw(pid)] = status; }

  long total() const {
    long sum = 0;
    for (auto& [address, count] : hits) sum += count;
    return sum;
  }
};

inline std::vector<HostBreakpoint> breakpoints_at(std::span<const uint64_t> addresses) {
  std::vector<HostBreakpoint> breakpoints;
  for (uint64_t address : addresses) breakpoints.push_back({Addr{address}, address});
  return breakpoints;
}

/// Serves until a process has ended; its status. -1: it has not, after a long time.
inline int serve_to_end(ProbeHost& host, Counting& counting, Pid pid) {
  uint64_t until = monotonic_ns() + 60'000'000'000;
  while (!counting.ended.contains(raw(pid))) {
    if (monotonic_ns() >= until) return -1;
    REQUIRE(host.serve(until, counting));
  }
  return counting.ended[raw(pid)];
}

inline uint64_t address_of(auto* function) { return reinterpret_cast<uint64_t>(function); }

}  // namespace strut::test
