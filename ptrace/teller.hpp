// Gives events to the sink, with what every event carries.
#pragma once

#include "core/event.hpp"
#include "core/request.hpp"
#include "core/sink.hpp"
#include "core/clock.hpp"
#include "ptrace/tracee.hpp"

namespace strut {

/// Tells the sink what happened to a tracee, and counts.
class Teller {
 public:
  Teller(Sink& sink, const TraceeTable& tracees) : sink_(sink), tracees_(tracees) {}

  template <typename What>
  Result<void> tell(const Tracee& tracee, const Moment& at, uint64_t ip, What what, const Stack* stack = nullptr) {
    event_.thread = {tracee.pid, tracee.tid, raw(tracee.tid), tracee.comm};
    event_.at = at;
    event_.last_nr = tracee.last_nr;
    event_.abi = tracee.last_abi;
    event_.ip = ip;
    event_.tracees = static_cast<uint32_t>(tracees_.size());
    event_.stack = stack;
    event_.what = what;
    events_++;
    dirty_ = true;
    return sink_.take(event_);
  }

  /// Makes visible what was told, if there is something new.
  Result<void> flush() {
    if (!dirty_) return {};
    dirty_ = false;
    return sink_.flush();
  }
  bool dirty() const { return dirty_; }
  uint64_t events() const { return events_; }

 private:
  Sink& sink_;
  const TraceeTable& tracees_;
  Event event_{{}, {}, -1, Abi::X86_64, 0, 1, nullptr, StopEvent{0}};
  uint64_t events_ = 0;
  bool dirty_ = false;  ///< something was told since the last flush
};

}  // namespace strut
