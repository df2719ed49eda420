// How the tracees that live on are let go, with nothing of strut's left in them.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/stop.hpp"

namespace strut {

class Engine;

enum class LeaveThem : uint8_t {
  Running,
  Stopped,  ///< by SIGSTOP
};

class Leaving {
 public:
  explicit Leaving(Engine& engine) : engine_(engine) {}

  void begin(LeaveThem as);
  bool is_under_way() const { return is_under_way_; }
  bool leaves_stopped() const { return is_under_way_ && as_ == LeaveThem::Stopped; }
  void note_stop();
  /// The tracee has stopped while all are let go, or while its process is abandoned.
  Result<void> at_stop(Tracee& tracee, const Stop& stop);
  /// A child that the tracer has not seen yet, where there are no breakpoints.
  void let_newborn_go(Tid tid) const;
  /// Detaches the threads of each address space in which all stand.
  Result<void> release_standing();
  /// No tracee has a stop to be handled.
  Result<void> at_quiet();
  /// The tracee is at a signal: SIGSTOP is delivered instead, and the process is detached.
  Result<void> abandon(Tracee& tracee);

 private:
  Result<void> stand(Tracee& tracee, const Stop& stop);
  std::string states_of_running() const;
  bool may_all_wait_for_vfork() const;
  bool is_news_of_running() const;
  Result<void> release_rest();

  Engine& engine_;
  LeaveThem as_ = LeaveThem::Running;
  bool is_under_way_ = false;
  uint64_t last_stop_ns_ = 0;       ///< when a tracee was last seen to stop
  uint64_t look_at_states_ns_ = 0;  ///< not before
  size_t stood_ = 0;                ///< at the last look at all
};

}  // namespace strut
