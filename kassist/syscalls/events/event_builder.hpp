// Turns records into events: the state of each followed thread, in terms of trace/event.hpp.
#pragma once

#include <span>
#include <vector>

#include "kassist/syscalls/events/attach_reports.hpp"
#include "kassist/syscalls/events/loss_settlement.hpp"

namespace strut {

class EventBuilder {
 public:
  /// `unwinder`: for requests that want stacks, else nullptr; must outlive this.
  EventBuilder(const TraceRequest& request, Sink& sink, Listener& listener, Unwinder* unwinder)
      : context_(request, sink, listener, unwinder) {}

  /// The launched command: a failure of its first execve goes to the listener. Not a child (-D): it is attached.
  Result<void> expect_command(Pid pid, bool is_child) { return attaching_.expect_command(pid, is_child); }
  /// Threads that lived before, the one that was asked for first. Those that are known already are left out.
  Result<void> attach(std::span<const wire_seed> seeds) { return attaching_.attach(seeds); }
  /// Detaches all threads: no further events of theirs are reported.
  Result<void> leave_all() { return attaching_.leave_all(); }
  /// Drops threads that had exited at the previous check and produced no record since, if their exits would have come:
  /// all events before `reported_before_ns` were reported.
  Result<void> look_for_living(uint64_t reported_before_ns) { return attaching_.look_for_living(reported_before_ns); }
  /// Reports calls in which threads have slept for long: threads that slept at the last look, if all events before it
  /// were reported. True: some must be checked once more.
  Result<bool> look_for_sleepers(uint64_t reported_before_ns);

  Result<void> report(const Order::Entry& entry);
  /// Reports entries that were held back for want of memory, if they are older than this (UINT64_MAX: all): missing
  /// memory is read late.
  Result<void> report_held(uint64_t before_ns) { return calls_.report_all_held(before_ns); }
  bool holds_back() const { return calls_.holds_back(); }
  bool limit_reached() const;
  /// From now on it only follows which threads live.
  void mute() { context_.emitter.mute(); }
  /// Events were reported since the last flush().
  bool has_news() const { return context_.emitter.dirty(); }
  /// Makes the events since the last call visible.
  Result<void> flush() { return context_.emitter.flush(); }

  /// A thread's losses as the kernel counted them: learns of its birth and reports its exit, if those were lost before
  /// `before_ns`; at the end of the run (UINT64_MAX) reports all losses that no later record has shown, too. To be
  /// called when all records before that were reported.
  Result<void> settle(Tid tid, const wire_loss& loss, uint64_t before_ns) {
    return settlement_.settle(tid, loss, before_ns);
  }
  /// Reports that these events of a thread, which came, are not shown. Others of it may have been lost besides.
  Result<void> leave_out(Tid tid, const UnreportedEvents& events) { return settlement_.leave_out(tid, events); }

  const CommandState& command() const { return context_.command; }
  void end_hidden_command(int wait_status);
  /// The launched child was replaced by an untraced thread that exec'd: only its parent learns how it ends.
  bool awaits_heir() { return lives_.awaits_heir(); }
  /// To be called while that is awaited. nullopt: the status can no longer be known.
  Result<void> report_heirs_end(std::optional<int> wait_status) { return lives_.report_heirs_end(wait_status); }

  /// The followed threads, as reported so far.
  const FollowedThreads& threads() const { return context_.threads; }
  bool any_left() const;
  uint64_t events() const { return context_.emitter.events(); }
  uint64_t unseen() const { return calls_.unseen(); }
  uint64_t lost() const { return losses_.lost(); }

 private:
  Result<void> report_of_thread(FollowedThread& thread, const Order::Entry& entry);
  Result<void> report_entry(FollowedThread& thread, const Order::Entry& entry);

  EventContext context_;
  CallStacks stacks_{context_};
  SignalReports signals_{context_, stacks_};
  CallReports calls_{context_, stacks_, signals_};
  LossReports losses_{context_};
  LifeReports lives_{context_, stacks_, signals_, calls_, losses_};
  LossSettlement settlement_{context_, losses_, lives_};
  AttachReports attaching_{context_, stacks_, signals_, calls_, lives_};
};

}  // namespace strut
