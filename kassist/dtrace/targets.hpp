// The processes that a D program is about, until their ends.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/dtrace/news_wait.hpp"

namespace strut {

class DTargets {
 public:
  enum class Parent : uint8_t {
    Strut,  ///< strut takes its wait status
    Other,
  };
  /// `wait` ends when a process may have ended. It outlives this.
  explicit DTargets(DNewsWait& wait) : wait_(wait) {}

  /// Error ESRCH: it is gone.
  Result<void> add(Pid pid, Parent parent);
  bool has(Pid pid) const;

  struct Ended {
    Pid pid{};
    int status = -1;       ///< as wait4(2) has it; -1: it is not known
    uint64_t seen_ns = 0;  ///< CLOCK_MONOTONIC: it did nothing any more from here on
  };
  /// The targets that ended since the last call.
  std::vector<Ended> take_ended();

 private:
  struct Target {
    Pid pid{};
    OwnedFd pidfd;
    Parent parent = Parent::Other;
  };
  DNewsWait& wait_;
  std::vector<Target> targets_;
};

}  // namespace strut
