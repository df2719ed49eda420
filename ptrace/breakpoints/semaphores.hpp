// Semaphores of statically defined probes in one memory: counters of interested tracers, which the program reads.
//
// A counter is raised by one before the first breakpoint that needs it is inserted, so that a child's copy of the
// memory that has the int3 has the raised counter, too. It is lowered when the last of them is removed, and by the
// guardian if the tracer dies. Other tracers and the kernel's uprobes count there as well, without a lock that all
// share: one that counts at the same instant may be lost.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/ids.hpp"
#include "ptrace/guardian/breakpoint_ledger.hpp"

namespace strut {

class AddressSpace;

class Semaphores {
 public:
  explicit Semaphores(Pid pid) : pid_(pid) {}
  /// For a child's copy of the memory.
  Semaphores(Pid child, const Semaphores& parent) : pid_(child), held_(parent.held_), waiting_(parent.waiting_) {}

  /// One breakpoint more needs it. 0: none. A starting linker maps a library's data behind its code: a counter that is
  /// not mapped yet waits for raise_late(). False: it cannot be recorded or written.
  bool hold(const AddressSpace& memory, BreakpointLedger::Image& ledger, uint64_t semaphore);
  void raise_late(const AddressSpace& memory, BreakpointLedger::Image& ledger);
  /// One less.
  void release(const AddressSpace& memory, uint64_t semaphore);
  /// One less, whose memory is gone.
  void forget(uint64_t semaphore);
  void release_all(const AddressSpace& memory);
  /// The child's copy may have been made before the parent's counters were raised.
  void catch_up(const AddressSpace& child) const;

 private:
  struct Held {
    uint32_t breakpoints = 0;
    bool is_raised = false;
    uint16_t before = 0;  ///< the counter without this tracer
  };
  bool is_mapped(uint64_t semaphore) const;
  bool raise(const AddressSpace& memory, BreakpointLedger::Image& ledger, uint64_t semaphore, Held& held) const;

  Pid pid_;
  std::unordered_map<uint64_t, Held> held_;
  size_t waiting_ = 0;  ///< those that are not raised
};

}  // namespace strut
