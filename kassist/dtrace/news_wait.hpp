// Descriptors that end the sleep of the engine's thread: they become readable when there is something to report.
#pragma once

#include <cstdint>

#include "base/owned_fd.hpp"
#include "base/result.hpp"

namespace strut {

class DNewsWait {
 public:
  static Result<DNewsWait> make();
  /// Error: the kernel's refusal. A closed descriptor is listened to no more.
  Result<void> listen_to(int descriptor);
  /// Until one is readable, or until this CLOCK_MONOTONIC time. False: a signal came.
  bool wait(uint64_t until_ns) const;

 private:
  explicit DNewsWait(OwnedFd epoll) : epoll_(std::move(epoll)) {}
  OwnedFd epoll_;
};

}  // namespace strut
