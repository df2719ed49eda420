// How far the stack pointer is from where it was at a function's entry, instruction by instruction.
#pragma once

#include <cstdint>
#include <optional>

#include "x86/instruction.hpp"

namespace strut {

/// Bytes between the return address and the stack pointer's target, as far as that is known. At a jump to another
/// function it is 0; at a jump to a part of the same function it may be anything.
struct StackDepth {
  std::optional<int64_t> stack = 0;   ///< for %rsp
  std::optional<int64_t> frame = {};  ///< for %rbp, while it is a frame pointer
  bool operator==(const StackDepth&) const = default;
};

/// The depth behind an instruction (of a call: when it has returned).
StackDepth depth_after(const Instruction& instruction, StackDepth before);
/// The facts that hold on both paths to a place.
StackDepth agreed(const StackDepth& a, const StackDepth& b);

}  // namespace strut
