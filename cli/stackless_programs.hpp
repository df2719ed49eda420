// Says of which programs no stacks are shown though they were asked for: those of 32 bits.
#pragma once

#include <set>
#include <string>
#include <unordered_set>

#include "core/backend.hpp"
#include "core/sink.hpp"

namespace strut {

/// Passes events on. A line for each program, once its first call without a stack was passed on; of processes that have
/// ended by then one in all.
class StacklessPrograms final : public Sink {
 public:
  /// Both outlive it.
  StacklessPrograms(Sink& next, Listener& listener) : next_(next), listener_(listener) {}

  Result<void> take(const Event& event) override;
  Result<void> flush() override { return next_.flush(); }
  void gather() override { next_.gather(); }
  Result<void> finish() override { return next_.finish(); }

 private:
  Sink& next_;
  Listener& listener_;
  std::unordered_set<int32_t> seen_;  ///< processes
  std::set<std::string> said_;        ///< programs; empty: those of processes that had ended
};

}  // namespace strut
