// Threads that their CPUs run at once when a program asks for it, so that the thread whose program that is gets
// switched away.
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
  /// `rings`: descriptors of the maps switches_0 …, which outlive this. Where this process may not go first
  /// (SCHED_FIFO) nobody is switched, and registers stay unseen.
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
