// The stop that is served next: the tracer's one wait.
#pragma once

#include <deque>
#include <optional>

#include "ptrace/engine/newborns.hpp"
#include "ptrace/engine/stop_poll.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

class StopSource {
 public:
  /// The kernel reports stops in an order of its own: after `in_row` stops of one thread, `asked` are asked by name
  /// before it is.
  struct Fairness {
    int in_row = 0;
    size_t asked = 4;
  };
  StopSource(const TraceeTable& tracees, const Newborns& newborns, Usage usage, Fairness fairness)
      : tracees_(tracees), newborns_(newborns), usage_(usage), fairness_(fairness) {}

  /// Stops that were taken and are not handled yet.
  std::deque<Waited>& waiting() { return waiting_; }
  StopPoll& poll() { return poll_; }
  /// The tracee that may be polled before any wait; Tid{}: none, because a wait returns more (CPU time), or others have
  /// waited long enough.
  Tid worth_a_poll() {
    Tid tid = poll_.candidate();
    if (tid == Tid{} || !waiting_.empty() || usage_ == Usage::Measure) return Tid{};
    return tracees_.size() > 1 && ++polls_ > kMaxPolls ? Tid{} : tid;
  }
  /// Sleeps until there is one. It is looked at, not taken: a tracer that is killed must not take SIGTRAP of a
  /// breakpoint with it. nullopt: errno is EINTR or ECHILD.
  std::optional<Waited> next();

 private:
  std::optional<Waited> next_in_turn();

  /// Without a look at the others. A tracee that gets ahead of the others changes their behaviour: the process of a
  /// pipeline that exits first.
  static constexpr int kMaxPolls = 2;
  const TraceeTable& tracees_;
  const Newborns& newborns_;
  const Usage usage_;
  const Fairness fairness_;
  std::deque<Waited> waiting_;
  StopPoll poll_;
  int polls_ = 0;  ///< since the last wait
  Tid turn_{};     ///< the tracee that was asked last
  Tid last_served_{};
  int served_in_row_ = 0;
};

}  // namespace strut
