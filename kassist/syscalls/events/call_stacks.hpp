// User stacks of events, and the code of processes that they need.
#pragma once

#include "kassist/syscalls/events/event_context.hpp"

namespace strut {

/// Does nothing where no stacks are wanted.
class CallStacks {
 public:
  explicit CallStacks(EventContext& context) : context_(context) {}

  /// nullptr: none was captured. Valid until the next one.
  const Stack* unwind(FollowedThread& thread, const Order::Entry& entry);
  /// For the thread's call. The stack at the entry, if there is one, is the call's. execve has both, except the
  /// launched command's.
  void keep(FollowedThread& thread, const Order::Entry& entry);
  /// For a call in which the thread was when it was attached: its stack does not change until the thread returns from
  /// there.
  void keep_at_attach(FollowedThread& thread, const wire_seed& seed);
  /// A file's code was mapped (WIRE_MAPPED).
  void code_mapped(RecordView record);
  /// The process has another program (WIRE_EXEC).
  void program_replaced(Pid pid, const wire_record& record);

 private:
  EventContext& context_;
  Stack stack_;  ///< the last one that was unwound
};

}  // namespace strut
