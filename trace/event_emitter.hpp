// Passes events to the sink, with the data that every event carries.
#pragma once

#include "trace/event.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Reports a thread's event to the sink, and counts it. `Threads`: a backend's table of followed threads, with a
/// size(); its threads have members pid, tid, comm, last_nr and last_abi.
template <typename Threads>
class EventEmitter {
 public:
  EventEmitter(Sink& sink, const Threads& threads) : sink_(sink), threads_(threads) {}

  template <typename Thread, typename What>
  Result<void> report(const Thread& thread, const Timestamp& at, uint64_t ip, What what, const Stack* stack = nullptr) {
    if (muted_) return {};
    event_.thread = {thread.pid, thread.tid, raw(thread.tid), thread.comm};
    event_.at = at;
    event_.last_nr = thread.last_nr;
    event_.abi = thread.last_abi;
    event_.ip = ip;
    event_.tracees = static_cast<uint32_t>(threads_.size()) + others_;
    event_.stack = stack;
    event_.what = what;
    events_++;
    dirty_ = true;
    return sink_.take(event_);
  }

  /// For later events: this many threads more than the table's are followed.
  void count_others(uint32_t others) { others_ = others; }

  /// Makes the output visible, if there is any.
  Result<void> flush() {
    if (!dirty_) return {};
    dirty_ = false;
    return sink_.flush();
  }
  /// The sink has failed: it gets no more events.
  void mute() {
    muted_ = true;
    dirty_ = false;
  }
  bool dirty() const { return dirty_; }
  uint64_t events() const { return events_; }

 private:
  Sink& sink_;
  const Threads& threads_;
  Event event_{{}, {}, -1, Abi::X86_64, 0, 1, nullptr, StopEvent{0}};
  uint64_t events_ = 0;
  uint32_t others_ = 0;
  bool muted_ = false;
  bool dirty_ = false;  ///< events were reported since the last flush
};

}  // namespace strut
