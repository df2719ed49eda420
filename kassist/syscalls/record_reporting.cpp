#include "kassist/syscalls/record_reporting.hpp"

#include <atomic>
#include <map>
#include <string>

#include "base/clock.hpp"
#include "process/interruption.hpp"

namespace strut {

namespace {

/// A record can come this much later than one that happened after it: the time between taking its time and finding its
/// place in the ring, with an interrupt in between.
constexpr uint64_t kWindow_ns = 2'000'000;
/// An entry that lacks memory is reported at last.
constexpr uint64_t kHold_ns = 5'000'000;
constexpr uint64_t kFlushEvery_ns = 20'000'000;

std::string unreported_text(uint64_t events) {
  return std::to_string(events) + (events == 1 ? " event was" : " events were") +
         " not reported: strut was interrupted once more";
}

}  // namespace

void RecordReporting::add(const std::shared_ptr<const Batch>& batch) {
  order_.add(batch);
  if (follows_ == Follows::CommandAlone) living_.add(*batch);
}

Result<uint64_t> RecordReporting::report(const Drain::Delivery& delivery) {
  if (delivery.batch) add(delivery.batch);
  bool all_came = delivery.batch && follows_ == Follows::CommandAlone && living_.empty();
  uint64_t complete_before_ns = delivery.complete_before_ns - kWindow_ns;
  TRY_VOID(report_until(all_came ? UINT64_MAX : complete_before_ns));
  uint64_t reported_before_ns = order_.reported_before(complete_before_ns);
  TRY_VOID(builder_.report_held(all_came ? UINT64_MAX : reported_before_ns - kHold_ns));
  return reported_before_ns;
}

Result<void> RecordReporting::report_all() {
  TRY_VOID(report_until(UINT64_MAX));
  return builder_.report_held(UINT64_MAX);
}

Result<void> RecordReporting::report_until(uint64_t before_ns) {
  while (!builder_.limit_reached() && !Interruption::is_urgent()) {
    auto entry = order_.next(before_ns);
    if (!entry) break;
    TRY_VOID(builder_.report(*entry));
  }
  return {};
}

Result<void> RecordReporting::leave_out_rest() {
  std::map<Tid, UnreportedEvents> unreported;
  while (auto entry = order_.next(UINT64_MAX)) {
    if (!wire_is_event(entry->record.header().kind)) continue;
    UnreportedEvents& of_thread = unreported[entry->record.tid()];
    of_thread.pid = entry->record.pid();
    of_thread.count++;
    unreported_++;
  }
  for (const auto& [tid, events] : unreported) TRY_VOID(builder_.leave_out(tid, events));
  if (unreported_ != 0) listener_.say(unreported_text(unreported_));
  return {};
}

/// While records come faster than they are reported, the sink writes when it is full. The first event does not wait.
Result<void> RecordReporting::flush_when_due(bool caught_up) {
  uint64_t now_ns = monotonic_ns();
  if (!builder_.has_news() || (!caught_up && now_ns - flushed_ns_ < kFlushEvery_ns)) return {};
  flushed_ns_ = now_ns;
  return builder_.flush();
}

uint64_t lost_events(const Programs& programs) { return std::atomic_ref(programs.control().losses.events).load(); }

Result<void> RecordReporting::settle_losses(Programs& programs, uint64_t before_ns) {
  uint64_t lost_now = lost_events(programs);
  if (lost_now == 0 || (lost_now == lost_before_ && builder_.lost() == lost_now && before_ns != UINT64_MAX)) return {};
  lost_before_ = lost_now;
  for (auto& [tid, loss] : programs.losses()) TRY_VOID(builder_.settle(tid, loss, before_ns));
  if (before_ns == UINT64_MAX && lost_now > builder_.lost())
    listener_.say(std::to_string(lost_now - builder_.lost()) + " more events lost");
  return {};
}

}  // namespace strut
