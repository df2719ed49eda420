// A trace by ptrace(2): launches and attaches, lets the engine serve stops until nothing is left to trace.
#pragma once

#include <span>

#include "ptrace/engine/engine.hpp"
#include "ptrace/observers/trace_observer.hpp"
#include "trace/backend.hpp"

namespace strut {

/// One run. Lives in one thread, which must be the one that waits (ptrace(2): a tracer is a thread).
class Tracer {
 public:
  /// All outlive this.
  Tracer(const TraceRequest& request, Sink& sink, Listener& listener, const PtraceParts& parts);

  /// Whatever it returns, no tracee that it did not launch is harmed: those still attached go on when strut ends.
  Result<Outcome> run();
  BackendStats stats() const;

 private:
  Result<void> begin();
  Result<void> attach_requested();
  Result<void> add_attached(Pid id, std::span<const Tid> threads);
  Result<void> attach_borrowers();
  Result<void> loop();
  Result<void> tend();
  Result<void> look_for_sleepers();
  void set_alarm();
  Result<void> leave_all();
  void give_back();

  const TraceRequest& request_;
  Listener& listener_;
  Engine engine_;
  TraceObserver observer_;
  uint64_t flush_at_ns_ = 0;  ///< 0: nothing to be flushed
  uint64_t look_for_sleepers_at_ns_ = 0;
  uint64_t began_ns_ = 0;
  uint64_t startup_ns_ = 0;
};

}  // namespace strut
