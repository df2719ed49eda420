// Jumps of a thread out of modules, until the function that is entered by them is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "trace/function_points.hpp"

namespace strut {

/// A signal's handler may come between a jump out of a module and the entry that belongs to it, which comes next in its
/// frame.
struct SeenJump {
  uint64_t frame = 0, returns_to = 0;
  uint32_t site = 0;
  uint64_t code = 0;  ///< for the function that was entered so; 0: none yet
};

/// A few, the latest last; one for a frame.
class SeenJumps {
 public:
  void note(const FunctionHit& hit) {
    forget(hit.place());
    if (jumps_.size() == kMax) jumps_.erase(jumps_.begin());
    jumps_.push_back({hit.place(), hit.return_address, hit.function, 0});
  }
  /// The jump by which a function is entered, with `code`, which is known from now on. nullptr: none.
  const SeenJump* to(const FunctionHit& hit, uint64_t code) {
    auto jump = std::ranges::find(jumps_, hit.place(), &SeenJump::frame);
    if (jump == jumps_.end() || jump->returns_to != hit.return_address) return nullptr;
    if (jump->code != 0 && jump->code != code) return nullptr;
    jump->code = code;
    return &*jump;
  }
  void forget(uint64_t frame) {
    std::erase_if(jumps_, [&](const SeenJump& jump) { return jump.frame == frame; });
  }
  /// Keeps a jump of this frame that has led nowhere yet.
  void forget_arrived(uint64_t frame) {
    std::erase_if(jumps_, [&](const SeenJump& jump) { return jump.frame == frame && jump.code != 0; });
  }

 private:
  static constexpr size_t kMax = 8;  ///< signals within signals that each come right behind a jump
  std::vector<SeenJump> jumps_;
};

}  // namespace strut
