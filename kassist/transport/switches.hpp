// Threads that their CPUs run at once when a BPF program wakes them, so that the traced thread is switched away.
//
// The kernel then saves its floating-point registers, which a program can read nowhere else
// (kernel/functions/floatings.bpf.h). It costs the target two switches, a few microseconds, each time.
#pragma once

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "base/owned_fd.hpp"
#include "kassist/wire/wire.h"

namespace strut {

class Switches {
 public:
  /// `rings`: descriptors of the maps switches_0 …, which outlive this. Where this process may not have priority
  /// (SCHED_FIFO) no thread is switched, and registers are not captured.
  explicit Switches(const std::array<int, WIRE_SWITCHES>& rings);
  ~Switches();
  Switches(const Switches&) = delete;
  Switches& operator=(const Switches&) = delete;

 private:
  class Ring;
  void serve(const Ring& ring) const;

  OwnedFd ended_;  ///< an eventfd
  std::vector<std::unique_ptr<Ring>> rings_;
  std::vector<std::thread> threads_;
};

}  // namespace strut
