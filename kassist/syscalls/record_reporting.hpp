// The records of one run on their way to the sink: put in the order of their times, and counted where they are lost.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.hpp"
#include "kassist/loader/programs.hpp"
#include "kassist/syscalls/events/event_builder.hpp"
#include "kassist/syscalls/living.hpp"
#include "kassist/transport/drain.hpp"
#include "kassist/transport/order.hpp"
#include "trace/backend.hpp"

namespace strut {

class RecordReporting {
 public:
  enum class Follows : uint8_t {
    CommandAlone,  ///< a launched command and its children: the last record is known
    Others,
  };
  /// Both outlive it.
  RecordReporting(EventBuilder& builder, Listener& listener, Follows follows)
      : builder_(builder), listener_(listener), follows_(follows) {}

  /// The thread of a command that is about to be released.
  void begins(Tid tid) { living_.add(tid); }
  /// No record waits for its time.
  bool is_idle() const { return order_.empty() && !builder_.holds_back(); }
  void add(const std::shared_ptr<const Batch>& batch);
  /// Reports what has come: all records older than the returned time, of which no other can come.
  Result<uint64_t> report(const Drain::Delivery& delivery);
  /// The rest: no record can come.
  Result<void> report_all();
  /// A second interruption of strut ends the reporting of queued events.
  Result<void> leave_out_rest();
  Result<void> flush_when_due(bool caught_up);
  /// The kernel's count says whether there is anything to ask for.
  Result<void> settle_losses(Programs& programs, uint64_t before_ns);

  /// Events that came, and that nothing was waiting for.
  uint64_t unreported() const { return unreported_; }

 private:
  Result<void> report_until(uint64_t before_ns);

  EventBuilder& builder_;
  Listener& listener_;
  const Follows follows_;
  Order order_;
  Living living_;
  uint64_t unreported_ = 0;
  uint64_t flushed_ns_ = 0;
  uint64_t lost_before_ = 0;  ///< when losses were settled last
};

/// All events that were lost so far.
uint64_t lost_events(const Programs& programs);

}  // namespace strut
