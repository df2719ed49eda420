#include "ptrace/breakpoints/memory_watch.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <sys/ptrace.h>

#include "procfs/remote_memory.hpp"
#include "ptrace/breakpoints/trap_guard_code.hpp"
#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/control.hpp"
#include "trace/breakpoint_event.hpp"

namespace strut {
namespace {

constexpr int kTrapPerf = 6;   ///< TRAP_PERF of asm-generic/siginfo.h
constexpr uint32_t kLate = 1;  ///< TRAP_PERF_FLAG_ASYNC: SIGTRAP was blocked

/// The member _perf of siginfo_t, behind si_addr, which C libraries do not know yet.
struct PerfSignal {
  int32_t number, error, code, padding;
  uint64_t address, data;
  uint32_t type, flags;
};
static_assert(offsetof(PerfSignal, data) == kPerfDataPlace);

PerfSignal perf_part(const siginfo_t& info) {
  PerfSignal part;
  std::memcpy(&part, &info, sizeof part);
  return part;
}

uint64_t value_in(Memory& memory, const WatchedRange& range) {
  uint64_t value = 0;
  memory.read(Addr{range.address}, std::as_writable_bytes(std::span(&value, 1)).first(range.bytes));
  return value;
}

}  // namespace

Result<void> read_values(ProbedThread& thread) {
  RemoteMemory memory(thread.tid);
  for (WatchedMemory::Range& range : thread.process->watched->ranges) {
    std::byte last;
    const WatchedRange& at = range.watch.range;
    if (memory.read(Addr{at.address + at.bytes - 1}, {&last, 1}).bytes != 1)
      return fail({EFAULT,
                   "watch memory",
                   "process " + std::to_string(raw(thread.process->pid)),
                   "nothing is mapped at an address",
                   {}});
    range.value = value_in(memory, at);
  }
  return {};
}

int give_breakpoints(ProbedThread& thread) {
  thread.breakpoints.clear();
  if (!thread.process || !thread.process->watched) return 0;
  for (const WatchedMemory::Range& range : thread.process->watched->ranges) {
    OwnedFd event = open_breakpoint({.range = range.watch.range,
                                     .tid = thread.tid,
                                     .inherits = false,
                                     .signal_data = uint64_t{kBreakpointMark} << 32 | 1});
    if (!event) return -event.number();
    thread.breakpoints.push_back({std::move(event), 0});
  }
  return 0;
}

bool is_of_breakpoint(const siginfo_t& info) {
  return info.si_signo == SIGTRAP && info.si_code == kTrapPerf && perf_part(info).data >> 32 == kBreakpointMark;
}

bool stands_at_breakpoint(Tid tid) {
  siginfo_t info;
  return read_siginfo(tid, info) && is_of_breakpoint(info);
}

/// An instruction may access several ranges, with one signal.
MemoryHits take_hits(ProbedThread& thread) {
  MemoryHits hits;
  siginfo_t info;
  if (!thread.process->watched || !read_siginfo(thread.tid, info)) return hits;
  bool is_late = (perf_part(info).flags & kLate) != 0;
  RemoteMemory memory(thread.tid);
  for (size_t i = 0; i < thread.breakpoints.size(); i++) {
    WatchedMemory::Range& range = thread.process->watched->ranges[i];
    uint64_t all = hits_of(thread.breakpoints[i].event).value_or(0);
    uint64_t fresh = all - std::exchange(thread.breakpoints[i].hits, all);
    if (fresh == 0) continue;
    hits.lost += is_late ? fresh : fresh - 1;
    uint64_t value = range.watch.range.access == WatchAccess::Execute ? 0 : value_in(memory, range.watch.range);
    uint64_t before = std::exchange(range.value, value);
    bool is_write = range.watch.range.access == WatchAccess::Read && value != before;
    if (!is_late && !is_write) hits.accesses.push_back({range.watch.tag, range.watch.range.address, value, before});
  }
  return hits;
}

bool has_no_pending_hit(ProbedThread& thread) {
  bool has_pending = false;
  std::array<siginfo_t, 16> pending;
  __ptrace_peeksiginfo_args ask{0, 0, static_cast<int32_t>(pending.size())};
  long got = ::ptrace(PTRACE_PEEKSIGINFO, raw(thread.tid), &ask, pending.data());
  for (long i = 0; i < got; i++) has_pending |= is_of_breakpoint(pending[static_cast<size_t>(i)]);
  auto blocked = read_blocked(thread.tid);
  constexpr uint64_t kTrapBit = uint64_t{1} << (SIGTRAP - 1);
  if (has_pending && blocked && (*blocked & kTrapBit) != 0) {
    thread.mask_to_restore = *blocked;
    write_blocked(thread.tid, *blocked & ~kTrapBit);
  } else if (!has_pending && thread.mask_to_restore) {
    write_blocked(thread.tid, *std::exchange(thread.mask_to_restore, std::nullopt));
  }
  return !has_pending;
}

}  // namespace strut
