#include "kassist/functions/cost_warning.hpp"

namespace strut {
namespace {

constexpr uint64_t kLookEvery_ns = 1'000'000'000;

}  // namespace

void CostWarning::look(std::span<const UprobeDemand> demands, std::span<const Pid> targets, uint64_t now_ns) {
  has_more_ = false;
  if (load_of(demands).fits()) return;
  next_look_ns_ = now_ns + kLookEvery_ns;
  UprobeLoad load = load_on_others(demands, targets);
  if (load.fits()) return;
  line_ = text_(load);
  text_ = nullptr;
}

}  // namespace strut
