#include "kassist/dtrace/control.hpp"

#include <atomic>
#include <ctime>

#include "base/clock.hpp"

namespace strut {

void DControl::entries_are_seen() { std::atomic_ref(page_.entries_seen).store(++times_seen_); }

void DControl::entries_are_unseen() { std::atomic_ref(page_.entries_seen).store(0); }

std::optional<int32_t> DControl::exit_status() const {
  if (std::atomic_ref(page_.exited).load() != 1) return std::nullopt;
  return page_.status;
}

void DControl::silence() {
  uint32_t none = 0;
  std::atomic_ref(page_.exited).compare_exchange_strong(none, 2);
  shut();
}

void DControl::shut() { std::atomic_ref(page_.is_quiet).store(1); }

/// exit() may be called at the same time. A call that was entered before is no call that seccomp denies.
void DControl::open() {
  if (std::atomic_ref(page_.entries_seen).load() != 0) entries_are_seen();
  std::atomic_ref(page_.is_quiet).store(0);
  if (std::atomic_ref(page_.exited).load() != 0) shut();
}

bool DControl::watch(uint64_t address) {
  for (__u64& watched : page_.watched) {
    if (watched != 0 && watched != address) continue;
    std::atomic_ref(watched).store(address);
    return true;
  }
  return false;
}

uint64_t DControl::watch_hits() const { return std::atomic_ref(page_.watch_hits).load(); }

void DControl::leave_out(Pid tracer, Pid known) {
  std::atomic_ref(page_.left_out).store(static_cast<uint32_t>(raw(tracer)));
  std::atomic_ref(page_.known).store(static_cast<uint32_t>(raw(known)));
}

/// More of them than there is room for would fire a little early.
void DControl::wait_for_exec(Pid pid) {
  for (uint32_t& command : page_.commands) {
    if (command != 0) continue;
    std::atomic_ref(command).store(static_cast<uint32_t>(raw(pid)));
    return;
  }
}

void DControl::has_started(Pid pid) {
  for (uint32_t& command : page_.commands)
    if (command == static_cast<uint32_t>(raw(pid))) std::atomic_ref(command).store(command | D_STARTED);
}

void DControl::adjust_clock() {
  timespec wall{};
  uint64_t before = monotonic_ns();
  ::clock_gettime(CLOCK_REALTIME, &wall);
  uint64_t middle = before + (monotonic_ns() - before) / 2;
  uint64_t now = static_cast<uint64_t>(wall.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(wall.tv_nsec);
  std::atomic_ref(page_.wall_offset_ns).store(now - middle);
}

void DControl::count_restart(uint32_t aggregation) { std::atomic_ref(page_.rounds[aggregation]).fetch_add(1); }

void DControl::linkers_are_answered() { std::atomic_ref(page_.linker_late).store(0); }

uint64_t DControl::linkers_unheld() const { return std::atomic_ref(page_.linker_unheld).load(); }

}  // namespace strut
