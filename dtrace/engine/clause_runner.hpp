// Runs the clauses of a probe that fired, and reports their records.
#pragma once

#include <vector>

#include "dlang/machine/engine.hpp"
#include "dlang/machine/machine.hpp"
#include "dtrace/engine/firing_context.hpp"

namespace strut {

class ClauseRunner {
 public:
  /// All outlive this.
  ClauseRunner(const DProgram& program, Pid self, Unwinder* unwinder);

  /// Adds one behind the others: its index is the probe's.
  void add(const DProbe& probe);
  size_t size() const { return probes_.size(); }
  const DProbe& probe(uint32_t index) const { return probes_[index].probe; }

  /// facts.probe is filled in here.
  void fire(uint32_t index, FiringFacts facts, DObserver& observer);

  std::optional<int32_t> exit_status() const { return machine_.exit_status(); }
  void forget_thread(Tid tid) { machine_.forget_thread(tid); }
  void free_speculation(uint32_t id) { machine_.free_speculation(id); }
  DAggregations& aggregations() { return machine_.aggregations(); }
  uint64_t fired() const { return fired_; }
  uint64_t dropped() const { return dropped_; }

 private:
  struct Enabled {
    DProbe probe;
    uint32_t first_epid = 0;
  };
  void report_drops(DObserver& observer);

  DMachine machine_;
  FiringContext context_;
  std::vector<Enabled> probes_;
  uint32_t next_epid_ = 1;
  uint64_t fired_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace strut
