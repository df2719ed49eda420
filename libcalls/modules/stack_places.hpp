// The stack of an address, by a process's mappings.
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

/// The mappings of processes when they were looked at for their code: they live then, and may have exited before the
/// first of their calls is reported. Thread-safe.
class SeenStacks {
 public:
  void changed(Pid pid, std::span<const Mapping> mappings);
  /// A child has its parent's mappings.
  void forked(Pid parent, Pid child);
  /// Ascending; empty: not looked at.
  std::vector<StackRange> of(Pid pid) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<int32_t, std::vector<StackRange>> ranges_;
};

/// A mapping is surely one stack if the kernel made it for a process's first thread, or if a guard is below it, as
/// below stacks that pthread_create(3) makes (pthread_attr_setguardsize(3)) and those of careful coroutines. Any other
/// may hold many: programs allocate coroutines' stacks by malloc(3).
///
/// Reads a process's maps at its first event, when the known ones do not suffice, and again after a new thread. Events
/// of a process may be older than its maps: missing memory may be a stack that was freed. For a process that was gone
/// at the first look SeenStacks counts, and later stacks of threads are recognized by their distance; without that
/// either, it has one stack. Numbers below 0 are goroutines: each has one stack.
class StackPlaces final : public Stacks {
 public:
  /// `seen` outlives it; nullptr: no earlier looks.
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
    bool is_from_before = false;  ///< the process was gone: `ranges` are those seen before its calls
  };
  static const Range* range_of(const Process& process, uint64_t address);
  void look_at(Pid pid, Process& process) const;
  static void note_gone(Process& process, uint64_t address);

  const SeenStacks* seen_;
  std::unordered_map<int32_t, Pid> pids_;
  std::unordered_map<int32_t, Process> processes_;
};

}  // namespace strut
