#include "kassist/dtrace/reader.hpp"

#include "base/clock.hpp"

namespace strut {

namespace {

constexpr int kPatience_ms = 100;

uint64_t made_ns(std::span<const std::byte> content) {
  auto record = d_record_in(content);
  return record ? record->header->time_ns : 0;
}

}  // namespace

Result<std::unique_ptr<DReader>> DReader::start(DKernelProgram& kernel, const DProgram& program, DStacks& stacks,
                                                DAggregations& aggregations, std::function<void()> records_taken) {
  std::unique_ptr<DReader> reader(new DReader(kernel, program, stacks, aggregations, std::move(records_taken)));
  reader->drain_ = TRY(RingDrain::start(kernel.ring(), kernel.ring_bytes(), {kernel.control().wake_bytes(), made_ns}));
  return reader;
}

void DReader::take(RingDrain::Delivery delivery) {
  contents_.clear();
  next_ = 0;
  current_ = std::move(delivery);
  if (!current_.batch) return;
  records_taken_();
  current_.batch->each_content([&](std::span<const std::byte> content) { contents_.push_back(content); });
}

/// The batch stays while one of its records is reported, even if a nested call takes the next one.
void DReader::report_all(uint64_t deadline_ns, DObserver& observer) {
  constexpr size_t kBetweenLooks = 256;
  while (next_ < contents_.size()) {
    auto batch = current_.batch;
    report(contents_[next_++], observer);
    if (next_ % kBetweenLooks == 0 && monotonic_ns() >= deadline_ns) return;
  }
}

void DReader::report_what_came(uint64_t deadline_ns, DObserver& observer) {
  uint64_t dummy;
  [[maybe_unused]] ssize_t got = ::read(news(), &dummy, sizeof dummy);
  report_all(deadline_ns, observer);
  while (next_ >= contents_.size()) {
    RingDrain::Delivery delivery = drain_->next(0);
    if (!delivery.batch) {
      records_taken_();
      stacks_.catch_up(delivery.complete_before_ns, observer);
      break;
    }
    take(std::move(delivery));
    report_all(deadline_ns, observer);
    report_losses(observer);
    if (monotonic_ns() >= deadline_ns) break;
  }
  report_losses(observer);
}

void DReader::report_before(uint64_t until_ns, DObserver& observer) {
  for (;;) {
    report_all(UINT64_MAX, observer);
    if (current_.complete_before_ns > until_ns) break;
    RingDrain::Delivery delivery = drain_->next_before(until_ns, kPatience_ms);
    uint64_t complete_before_ns = delivery.complete_before_ns;
    if (delivery.batch) take(std::move(delivery));
    else if (complete_before_ns > until_ns) break;
  }
  report_losses(observer);
}

// -- one record -----------------------------------------------------------------------------------------

void DReader::report(std::span<const std::byte> content, DObserver& observer) {
  auto record = d_record_in(content);
  if (!record || record->header->clause >= program_.clauses.size()) return;
  const d_record& header = *record->header;
  if (header.kind == D_FAULTED) return report_fault(header, observer);
  auto items = stacks_.complete(*record, observer);
  if (!items) return lose(DDrops::Records, static_cast<int>(header.cpu), 1, observer);
  if (header.kind == D_TAKEN)
    return aggregations_.take(header.aggregation, *items, stacks_.taken_value(*record), header.weight);
  DFired fired;
  fired.probe = header.probe;
  fired.clause = header.clause;
  fired.cpu = header.cpu;
  fired.pid = Pid{static_cast<int32_t>(header.pid)};
  fired.tid = Tid{static_cast<int32_t>(header.tid)};
  fired.time_ns = header.time_ns;
  fired.record = *items;
  observer.fired(fired);
}

void DReader::report_fault(const d_record& header, DObserver& observer) const {
  DFaulted faulted;
  faulted.probe = header.probe;
  faulted.clause = header.clause;
  faulted.cpu = header.cpu;
  faulted.code = header.code;
  const DClause& clause = program_.clauses[header.clause];
  faulted.statement = statement_at(clause, clause.begin + header.code);
  faulted.fault = static_cast<DFault>(header.fault);
  faulted.address = header.address;
  observer.faulted(faulted);
}

// -- losses ---------------------------------------------------------------------------------------------

void DReader::lose(DDrops what, int cpu, uint64_t count, DObserver& observer) {
  if (count == 0) return;
  lost_ += count;
  observer.dropped(what, cpu, count);
}

void DReader::report_losses(DObserver& observer) {
  DLost lost = kernel_.take_lost();
  for (size_t cpu = 0; cpu < lost.records.size(); cpu++)
    lose(DDrops::Records, static_cast<int>(cpu), lost.records[cpu], observer);
  lose(DDrops::Aggregation, -1, lost.aggregation + aggregations_.take_drops(), observer);
  lose(DDrops::DynamicVariable, -1, lost.dynamic_variable, observer);
  lose(DDrops::FailedSpeculation, -1, lost.speculations, observer);
}

}  // namespace strut
