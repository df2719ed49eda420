// What the parts of the EventBuilder have in common.
#pragma once

#include <optional>
#include <utility>

#include "base/clock.hpp"
#include "kassist/syscalls/events/followed_threads.hpp"
#include "trace/backend.hpp"
#include "trace/event_emitter.hpp"

namespace strut {

/// The launched command, as records have shown it.
struct CommandState {
  std::optional<Tid> starting;  ///< until its execve has returned
  Tid child{};                  ///< the leader, where the command is strut's child; 0: none
  std::optional<int> status;    ///< in wait4(2)'s form, once it was reported
  /// The command runs with rights that strut's caller lacks: nothing of it is shown, but it has not ended.
  bool is_hidden = false;
};

struct EventContext {
  EventContext(const TraceRequest& request, Sink& sink, Listener& listener, Unwinder* unwinder)
      : request(request),
        listener(listener),
        unwinder(unwinder),
        threads(request, unwinder),
        emitter(sink, threads),
        time(now()) {}
  EventContext(const EventContext&) = delete;

  template <typename What>
  Result<void> emit(const FollowedThread& thread, uint64_t at_ns, uint64_t ip, What what,
                    const Stack* stack = nullptr) {
    return emitter.report(thread, timestamp(at_ns), ip, what, stack);
  }
  Timestamp timestamp(uint64_t monotonic_ns) const {
    return {monotonic_ns + time.realtime_ns - time.monotonic_ns, monotonic_ns};
  }
  /// The name that the thread has now, if the record has it and it is requested.
  void learn_comm(FollowedThread& thread, RecordView record) const {
    if (!request.need_comm) return;
    if (auto comm = RecordedContext::own_comm(record)) thread.comm = std::move(*comm);
  }
  DecodeContext decode_context(FollowedThread& thread) const { return {thread.memory, thread.around, request.decode}; }

  const TraceRequest& request;
  Listener& listener;
  Unwinder* const unwinder;  ///< nullptr: no stacks are wanted
  FollowedThreads threads;
  EventEmitter<FollowedThreads> emitter;
  CommandState command;

 private:
  const Timestamp time;  ///< the difference of the clocks is that of this time
};

}  // namespace strut
