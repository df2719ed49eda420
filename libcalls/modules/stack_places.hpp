// Which stack an address is in, by what a process has mapped.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "libcalls/pairing/pairing.hpp"
#include "procfs/maps.hpp"

namespace strut {

/// Writable memory: addresses [start, end).
struct StackRange {
  uint64_t start, end;
  bool is_stack;  ///< surely one
};

/// What processes had mapped when they were looked at for their code: they live then, and may have ended before the
/// first of their calls is told. Thread-safe.
class SeenStacks {
 public:
  void changed(Pid pid, std::span<const Mapping> mappings);
  /// A child has what its parent has.
  void forked(Pid parent, Pid child);
  /// Ascending; empty: nobody looked.
  std::vector<StackRange> of(Pid pid) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<int32_t, std::vector<StackRange>> ranges_;
};

/// A mapping is surely one stack if the kernel made it for a process's first thread, or if a guard lies below it, as
/// below stacks that pthread_create(3) makes (pthread_attr_setguardsize(3)) and those of careful coroutines. Any other
/// may hold many: who makes coroutines gets their stacks of malloc(3).
///
/// Reads maps of a process when it hears of it, where what it knows does not say, and again after a thread has come.
/// What is told of a process may be older than its maps: memory that is not there may be a stack that was given back.
/// Of a process that was gone at the first look counts what SeenStacks has, and what came later, of threads, is told by
/// its distance; where that has nothing either, it has one stack. Numbers below 0 are goroutines: each has one stack.
class StackPlaces final : public Stacks {
 public:
  /// `seen` outlives it; nullptr: nobody looks before.
  explicit StackPlaces(const SeenStacks* seen = nullptr) : seen_(seen) {}
  bool same(Tid tid, uint64_t low, uint64_t high) override;
  void belongs(Tid tid, Pid pid);
  /// Thread or process are gone, or the process executes another program.
  void forget(Tid tid);

 private:
  using Range = StackRange;
  struct Process {
    std::vector<Range> ranges;  ///< writable, ascending
    bool is_old = true;
    bool is_from_before = false;  ///< the process was gone: `ranges` are what was seen of it before its calls
  };
  static const Range* range_of(const Process& process, uint64_t address);
  void look_at(Pid pid, Process& process) const;
  static void note_gone(Process& process, uint64_t address);

  const SeenStacks* seen_;
  std::unordered_map<int32_t, Pid> pids_;
  std::unordered_map<int32_t, Process> processes_;
};

}  // namespace strut
