// What D programs in the kernel put into their ring, told one by one, in that order.
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

/// A place in the ring is taken when a clause is done: what one thread did before another one could know of it comes
/// first.
class DReader {
 public:
  /// All outlive this. `records_taken` is called whenever records have been taken from the ring, before they are told:
  /// what processes had mapped when they were made is to be known by then (DStacks::take).
  static Result<std::unique_ptr<DReader>> start(DKernelProgram& kernel, const DProgram& program, DStacks& stacks,
                                                DAggregations& aggregations, std::function<void()> records_taken);

  /// Readable when something has come.
  int news() const { return drain_->news(); }
  /// Tells what has come, but for what comes meanwhile, until `deadline_ns` at the latest.
  void tell_what_came(uint64_t deadline_ns, DObserver& observer);
  /// Waits for all that was put into the ring before `until_ns`, and tells it. May be called from within fired() and
  /// the like: what was to come next is told then.
  void tell_before(uint64_t until_ns, DObserver& observer);

  void tell_fault(const d_record& header, DObserver& observer) const;

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
  void tell_all(uint64_t deadline_ns, DObserver& observer);
  void tell(std::span<const std::byte> content, DObserver& observer);
  void tell_losses(DObserver& observer);
  void lose(DDrops what, int cpu, uint64_t count, DObserver& observer);

  DKernelProgram& kernel_;
  const DProgram& program_;
  DStacks& stacks_;
  DAggregations& aggregations_;
  std::function<void()> records_taken_;
  std::unique_ptr<RingDrain> drain_;
  RingDrain::Delivery current_{};                     ///< that is being told
  std::vector<std::span<const std::byte>> contents_;  ///< its records,
  size_t next_ = 0;                                   ///< of which this one comes next
  uint64_t lost_ = 0;
};

}  // namespace strut
