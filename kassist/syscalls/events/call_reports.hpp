// System calls as events.
#pragma once

#include <vector>

#include "kassist/syscalls/events/signal_reports.hpp"

namespace strut {

class CallReports {
 public:
  CallReports(EventContext& context, CallStacks& stacks, SignalReports& signals)
      : context_(context), stacks_(stacks), signals_(signals) {}

  /// A thread enters a call. `left`: the record of the return, if it is there already.
  Result<void> enter(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left);
  Result<void> leave(FollowedThread& thread, const Order::Entry& entry);
  /// Ends a call without a return, if the thread is in one.
  Result<void> end_open(FollowedThread& thread, uint64_t at_ns);
  Result<void> follow_abi(FollowedThread& thread, const wire_record& record);

  /// Keeps an entry back: memory that was missed when the call was entered comes with its return.
  void hold(FollowedThread& thread, const Order::Entry& entry);
  /// Reports the thread's entry that was held back, if there is one. `left`: as for enter().
  Result<void> report_held(FollowedThread& thread, const Order::Entry* left);
  /// As EventBuilder has it.
  Result<void> report_all_held(uint64_t before_ns);
  bool holds_back() const { return !held_.empty(); }

  uint64_t reported() const { return reported_; }
  /// Parts of values that were not seen.
  uint64_t unseen() const { return unseen_; }

 private:
  void take_entry(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left);
  void take_return(FollowedThread& thread, const Order::Entry& entry);
  void note_command(FollowedThread& thread);
  Result<void> report_return(FollowedThread& thread, uint64_t at_ns);
  bool waits_for_return(const FollowedThread& thread, uint64_t before_ns) const;

  EventContext& context_;
  CallStacks& stacks_;
  SignalReports& signals_;
  std::vector<Tid> held_;  ///< threads with an entry that is held back
  uint64_t reported_ = 0;
  uint64_t unseen_ = 0;
};

}  // namespace strut
