#include "dtrace/engine/clause_runner.hpp"

#include <algorithm>

namespace strut {
namespace {

DLimits limits_of(const DSettings& settings) {
  DLimits limits;
  limits.text_bytes = static_cast<uint32_t>(std::min<uint64_t>(settings.strsize, 1 << 20)) + 1;
  limits.scratch_bytes = usable_scratch_bytes(settings);
  limits.dynamic_bytes = settings.dynvarsize;
  limits.aggregation_bytes = settings.aggsize;
  return limits;
}

}  // namespace

ClauseRunner::ClauseRunner(const DProgram& program, Pid self, Unwinder* unwinder)
    : machine_(program, limits_of(program.settings)), context_(self, unwinder) {}

void ClauseRunner::add(const DProbe& probe) {
  probes_.push_back({probe, next_epid_});
  next_epid_ += static_cast<uint32_t>(probe.clauses.size());
}

void ClauseRunner::fire(uint32_t index, FiringFacts facts, DObserver& observer) {
  const Enabled& enabled = probes_[index];
  facts.probe = &enabled.probe;
  context_.begin(facts);
  machine_.begin_firing();
  for (size_t i = 0; i < enabled.probe.clauses.size() && !machine_.has_left(); i++) {
    uint32_t clause = enabled.probe.clauses[i];
    context_.set_enabling(enabled.first_epid + static_cast<uint32_t>(i));
    DOutcome outcome = machine_.run(clause, context_);
    if (outcome.fault != DFault::None)
      observer.faulted(
          {index, clause, context_.cpu(), outcome.statement, outcome.code, outcome.fault, outcome.address});
    if (outcome.record.empty()) continue;
    fired_++;
    observer.fired({index, clause, context_.cpu(), context_.pid(), context_.tid(), context_.time_ns(), outcome.record});
  }
  report_drops(observer);
}

void ClauseRunner::report_drops(DObserver& observer) {
  if (uint64_t drops = machine_.take_dynamic_drops()) {
    dropped_ += drops;
    observer.dropped(DDrops::DynamicVariable, -1, drops);
  }
  if (uint64_t failed = machine_.take_failed_speculations()) observer.dropped(DDrops::FailedSpeculation, -1, failed);
  if (uint64_t drops = machine_.aggregations().take_drops()) {
    dropped_ += drops;
    observer.dropped(DDrops::Aggregation, static_cast<int>(context_.cpu()), drops);
  }
}

}  // namespace strut
