// Which stack an address is in, by what a process has mapped.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "calls/pairing.hpp"

namespace strut {

/// A mapping is surely one stack if the kernel made it for a process's first thread, or if a guard lies below it, as
/// below stacks that pthread_create(3) makes (pthread_attr_setguardsize(3)) and those of careful coroutines. Any other may
/// hold many: who makes coroutines gets their stacks of malloc(3).
///
/// Reads maps of a process when it hears of it, where what it knows does not say, and again after a thread has come. What
/// is told of a process may be older than its maps: memory that is not there may be a stack that was given back. A
/// process that was gone at the first look has one stack.
/// Numbers below 0 are goroutines: each has one stack.
class StackPlaces final : public Stacks {
 public:
  bool same(Tid tid, uint64_t low, uint64_t high) override;
  void belongs(Tid tid, Pid pid);
  /// Thread or process are gone, or the process executes another program.
  void forget(Tid tid);

 private:
  struct Range {
    uint64_t start, end;
    bool is_stack;
  };
  struct Process {
    std::vector<Range> ranges;  ///< writable, ascending
    bool is_old = true;
  };
  static const Range* range_of(const Process& process, uint64_t address);
  static void look_at(Pid pid, Process& process);
  static void note_gone(Process& process, uint64_t address);

  std::unordered_map<int32_t, Pid> pids_;
  std::unordered_map<int32_t, Process> processes_;
};

}  // namespace strut
