// Wakes a stopped tracee on the tracer's CPU by leaving it no other one, without its ever seeing that.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "base/ids.hpp"
#include "ptrace/cpu/pinned_mask.hpp"
#include "ptrace/guardian/guardian.hpp"

namespace strut {

/// At most one tracee at a time is narrow. One thread prepares, the tracer asks whether that is done; all else is to be
/// done under one lock of the owner's.
class PinnedWake {
 public:
  /// Fetches the guardian: to be done once, by a thread that is not the tracer and lives as long as the tracer traces.
  void prepare(Tid tracer);
  bool ready() const { return prepared_.load(std::memory_order_acquire) && guarded(); }
  /// False: nothing would undo changes from here on.
  bool guarded() const { return guardian_ && guardian_->holds() && guardian_->alive(); }

  /// Ends the guardian. No thread may be pinned, and the thread that prepared must have ended.
  void dismiss() { guardian_.reset(); }

  /// The pinned thread; Tid{}: none.
  Tid holder() const { return holder_.load(std::memory_order_relaxed); }
  /// Pins a stopped tracee to `cpu`, one of those that it has. No other thread may be pinned. False: it may not be
  /// done, and nothing is changed.
  bool narrow(PinnedMask plan);
  /// Gives the holder its CPUs back, if there is one.
  void give_back();
  /// The holder has ended, and has not been waited for.
  void forget();
  /// Whether the holder's mask is still ours.
  bool intact() const { return narrow_ && is_narrow(*narrow_); }

 private:
  std::unique_ptr<Guardian> guardian_;
  std::atomic<bool> prepared_ = false;
  std::atomic<Tid> holder_{};
  PinnedMask* narrow_ = nullptr;      ///< the guardian's record of the holder
  std::optional<PinnedMask> former_;  ///< the previous holder, with a known origin
};

}  // namespace strut
