// The stack layout of one machine: numbers of registers in DWARF, and the size of a word.
#pragma once

#include <cstdint>

#include "trace/unwinder.hpp"

namespace strut {

struct FrameAbi {
  uint8_t frame_pointer, stack_pointer, instruction_pointer;
  uint64_t word_bytes;

  /// The lowest bits that an address has.
  uint64_t mask() const { return word_bytes == 8 ? ~uint64_t{0} : 0xffffffff; }
};

/// System V psABI for x86-64, figure 3.36 (x32 pushes words of 8 bytes, too); for i386, figure 2.14.
inline constexpr FrameAbi kAbiX86_64{user_register::kFramePointer, user_register::kStackPointer,
                                     user_register::kInstructionPointer, 8},
    kAbiI386{5, 4, 8, 4};

}  // namespace strut
