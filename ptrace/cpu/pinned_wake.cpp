#include "ptrace/cpu/pinned_wake.hpp"

namespace strut {

namespace {

constexpr size_t kRecord = 0;

}  // namespace

void PinnedWake::prepare(Tid tracer) {
  guardian_ = Guardian::start(tracer);
  prepared_.store(true, std::memory_order_release);
}

bool PinnedWake::narrow(PinnedMask plan) {
  if (former_ && former_->tid == plan.tid && former_->original == plan.original) plan.origin = former_->origin;
  narrow_ = &guardian_->record(kRecord).arm<strut::give_back>(plan);
  holder_.store(Tid{plan.tid}, std::memory_order_relaxed);
  if (strut::narrow(*narrow_)) return true;
  give_back();
  return false;
}

void PinnedWake::give_back() {
  if (!narrow_) return;
  strut::give_back(*narrow_);
  former_ = *narrow_;
  forget();
}

void PinnedWake::forget() {
  if (!narrow_) return;
  guardian_->record(kRecord).disarm();
  narrow_ = nullptr;
  holder_.store(Tid{}, std::memory_order_relaxed);
}

}  // namespace strut
