// Reports the records of D programs in the kernel one by one, in the ring's order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "dlang/output/aggregations.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/dtrace/stacks.hpp"
#include "kassist/transport/ring_drain.hpp"

namespace strut {

/// A clause reserves its place in the ring when it is done: a thread's records precede those of threads that saw their
/// effect.
class DReader {
 public:
  /// All outlive this. `records_taken` is called whenever records were taken from the ring, before they are reported:
  /// the mappings of processes at the time of the records must be known by then (DStacks::take).
  static Result<std::unique_ptr<DReader>> start(DKernelProgram& kernel, const DProgram& program, DStacks& stacks,
                                                DAggregations& aggregations, std::function<void()> records_taken);

  /// Readable when something has come.
  int news() const { return drain_->news(); }
  /// Reports the records that have come, without those that come meanwhile, until `deadline_ns` at the latest.
  void report_what_came(uint64_t deadline_ns, DObserver& observer);
  /// Waits for all records put into the ring before `until_ns`, and reports them. May be called from within fired() and
  /// the like: the pending records are reported then.
  void report_before(uint64_t until_ns, DObserver& observer);

  void report_fault(const d_record& header, DObserver& observer) const;

  uint64_t lost() const { return lost_; }

 private:
  DReader(DKernelProgram& kernel, const DProgram& program, DStacks& stacks, DAggregations& aggregations,
          std::function<void()> records_taken)
      : kernel_(kernel),
        program_(program),
        stacks_(stacks),
        aggregations_(aggregations),
        records_taken_(std::move(records_taken)) {}
  void take(RingDrain::Delivery delivery);
  void report_all(uint64_t deadline_ns, DObserver& observer);
  void report(std::span<const std::byte> content, DObserver& observer);
  void report_losses(DObserver& observer);
  void lose(DDrops what, int cpu, uint64_t count, DObserver& observer);

  DKernelProgram& kernel_;
  const DProgram& program_;
  DStacks& stacks_;
  DAggregations& aggregations_;
  std::function<void()> records_taken_;
  std::unique_ptr<RingDrain> drain_;
  RingDrain::Delivery current_{};                     ///< being reported
  std::vector<std::span<const std::byte>> contents_;  ///< the records,
  size_t next_ = 0;                                   ///< the index of the next one
  uint64_t lost_ = 0;
};

}  // namespace strut
