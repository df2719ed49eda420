// Turns records into events: the state of each followed thread, in terms of trace/event.hpp.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kassist/syscalls/followed.hpp"
#include "trace/backend.hpp"
#include "trace/event_emitter.hpp"

namespace strut {

/// Events of a thread, and its process as the first of them names it.
struct UnreportedEvents {
  Pid pid{};
  uint64_t count = 0;
};

class EventBuilder {
 public:
  /// `unwinder`: for requests that want stacks, else nullptr; must outlive this.
  EventBuilder(const TraceRequest& request, Sink& sink, Listener& listener, Unwinder* unwinder);

  /// The launched command: a failure of its first execve goes to the listener. Not a child (-D): it is attached.
  Result<void> expect_command(Pid pid, bool is_child);
  /// Threads that lived before, the one that was asked for first. Those that are known already are left out.
  Result<void> attach(std::span<const wire_seed> seeds);
  /// Detaches all threads: no further events of theirs are reported.
  Result<void> leave_all();
  /// Drops threads that had exited at the previous check and produced no record since, if their exits would have come:
  /// all events before `reported_before_ns` were reported.
  Result<void> look_for_living(uint64_t reported_before_ns);
  /// Reports calls in which threads have slept for long: threads that slept at the last look, if all events before it
  /// were reported. True: some must be checked once more.
  Result<bool> look_for_sleepers(uint64_t reported_before_ns);
  /// The launched child was replaced by an untraced thread that exec'd: only its parent learns how it ends.
  bool awaits_heir();
  /// To be called while that is awaited. nullopt: the status can no longer be known.
  Result<void> report_heirs_end(std::optional<int> wait_status);
  /// The wait status of the launched command, a child, once it was reported.
  std::optional<int> command_status() const { return command_status_; }
  bool limit_reached() const { return request_.call_limit != 0 && calls_reported_ >= request_.call_limit; }

  /// A thread that is followed from now on.
  FollowedThread& add(Tid tid, Pid pid);

  Result<void> report(const Order::Entry& entry);
  /// Reports entries that were held back for want of memory, if they are older than this (UINT64_MAX: all): missing
  /// memory is read late.
  Result<void> report_held(uint64_t before_ns);
  bool holds_back() const { return !held_.empty(); }
  /// From now on it only follows which threads live.
  void mute() { emitter_.mute(); }
  /// The followed threads, as reported so far.
  std::vector<FollowedId> threads() const;
  /// Events were reported since the last flush().
  bool has_news() const { return emitter_.dirty(); }
  /// Makes the events since the last call visible.
  Result<void> flush() { return emitter_.flush(); }

  /// A thread's losses as the kernel counted them: learns of its birth and reports its exit, if those were lost before
  /// `before_ns`; at the end of the run (UINT64_MAX) reports all losses that no later record has shown, too. To be
  /// called when all records before that were reported.
  Result<void> settle(Tid tid, const wire_loss& loss, uint64_t before_ns);

  /// Reports that these events of a thread, which came, are not shown. Others of it may have been lost besides.
  Result<void> leave_out(Tid tid, const UnreportedEvents& events);

  /// The launched command's execve has not returned yet.
  bool is_starting() const { return command_.has_value(); }
  bool any_left() const { return !threads_.empty() || request_.system_wide || hides_command_; }
  /// The launched command runs with rights that strut's caller lacks: nothing of it is shown, but it has not ended.
  bool hides_command() const { return hides_command_; }
  void end_hidden_command(int status) { hides_command_ = false, command_status_ = status; }
  bool idle() const { return threads_.empty(); }
  uint64_t events() const { return emitter_.events(); }
  uint64_t unseen() const { return unseen_; }
  /// Reads of memory that were answered late (CapturedMemory).
  uint64_t late() const;
  uint64_t lost() const { return lost_; }

 private:
  template <typename What>
  Result<void> say(const FollowedThread& thread, uint64_t at_ns, uint64_t ip, What what, const Stack* stack = nullptr) {
    return emitter_.report(thread, moment(at_ns), ip, what, stack);
  }
  Timestamp moment(uint64_t monotonic_ns) const { return {monotonic_ns + realtime_offset_ns_, monotonic_ns}; }
  DecodeContext scene(FollowedThread& thread) { return {thread.memory, thread.around, request_.decode}; }

  FollowedThread* find(Tid tid);
  FollowedThread& meet(Tid tid, Pid pid);
  // telling.cpp
  void take_call(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left);
  Result<void> enter(FollowedThread& thread, const Order::Entry& entry, const Order::Entry* left);
  Result<void> hold(FollowedThread& thread, const Order::Entry& entry);
  Result<void> report_held(FollowedThread& thread, const Order::Entry* left);
  Result<void> leave(FollowedThread& thread, const Order::Entry& entry);
  Result<void> report_exit(FollowedThread& thread, uint64_t at_ns);
  Result<void> follow_abi(FollowedThread& thread, const wire_record& record);
  // telling_functions.cpp
  Result<void> come_to_site(FollowedThread& thread, const Order::Entry& entry);
  // telling_stacks.cpp
  const Stack* unwound(FollowedThread& thread, const Order::Entry& entry);
  void keep_stack(FollowedThread& thread, const Order::Entry& entry);
  void keep_stack_of(FollowedThread& thread, const wire_seed& seed);
  void learn_code(RecordView record);
  void learn_program(Pid pid, const wire_record& record);
  // telling_losses.cpp
  Result<void> account_for_losses(FollowedThread& thread, const wire_record& record);
  Result<void> report_lost(FollowedThread& thread, uint64_t at_ns, uint64_t count);
  Result<void> settle_one(Tid tid, const wire_loss& loss, uint64_t before_ns);
  // telling_attach.cpp
  Result<void> joined(const Order::Entry& entry);
  Result<void> resume(FollowedThread& thread, const wire_seed& seed);
  Result<void> let_go(FollowedThread& thread, uint64_t at_ns);
  Result<void> stop_following(FollowedThread& thread, uint64_t at_ns);
  // telling_lives.cpp
  Result<void> born(FollowedThread& parent, RecordView record);
  void learn_comm(FollowedThread& thread, RecordView record);
  Result<void> executed(const Order::Entry& entry);
  Result<void> replace_leader(Tid leader, Tid former, uint64_t at_ns);
  Result<void> end_call(FollowedThread& thread, uint64_t at_ns);
  Result<void> died(FollowedThread& thread, const wire_record& record);
  Result<void> report_leader_death(Pid pid);
  Result<void> report_death(FollowedThread& thread, int status, uint64_t at_ns);
  void forget(FollowedThread& thread);
  // telling_signals.cpp
  ComingSignal signal_of(RecordView record);
  Result<void> signalled(FollowedThread& thread, const Order::Entry& entry);
  Result<void> generated(RecordView record);
  Result<void> report_signal(FollowedThread& thread, const ComingSignal& signal, const Stack* stack);
  Result<void> report_what_waited(FollowedThread& thread, uint64_t at_ns);
  Result<void> stop_process(FollowedThread& taker, int signal, uint64_t at_ns);
  Result<void> report_stop(FollowedThread& thread, int signal, uint64_t at_ns);

  const TraceRequest& request_;
  Listener& listener_;
  Unwinder* const unwinder_;  ///< nullptr: no stacks are wanted
  Stack stack_;               ///< the last one that was unwound
  SocketDetails sockets_;
  using Threads = std::unordered_map<int32_t, std::unique_ptr<FollowedThread>>;
  Threads threads_;
  EventEmitter<Threads> emitter_;
  std::unordered_map<int32_t, FollowedProcess> processes_;
  FollowedThread* recent_ = nullptr;
  std::optional<Tid> command_;  ///< until its execve returned
  bool hides_command_ = false;
  Tid launched_{};  ///< the command's leader, where it is a child; 0: none
  std::optional<int> command_status_;
  uint64_t calls_reported_ = 0;
  uint64_t realtime_offset_ns_;
  uint64_t unseen_ = 0;
  uint64_t lost_ = 0;
  uint64_t added_ = 0;                              ///< threads that were ever followed, …
  Tid first_{};                                     ///< … and the first of them
  std::unordered_map<int32_t, uint64_t> lost_of_;   ///< by tid, whatever process had it
  std::unordered_map<int32_t, uint64_t> ended_ns_;  ///< by tid: lost exits that were reported
  uint64_t late_ = 0;                               ///< for exited threads
  std::vector<Tid> held_;                           ///< threads with an entry that is held back
};

}  // namespace strut
