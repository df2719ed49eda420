// String instructions that repeat themselves.
#pragma once

#include <cstdint>

#include "x86/instruction.hpp"

namespace strut {

/// How an instruction repeats itself, as bits. Kept in the same byte as a condition (condition_of): its values are no
/// conditions. A single step of such an instruction is one turn: the thread stops at the same address until the last.
enum Repetition : uint8_t {
  kRepeatedBytes = 3,       ///< the logarithm of an element's bytes
  kRepeatedScan = 4,        ///< scas: it may end early, by a comparison of %rax with (%rdi)
  kRepeatedCompare = 8,     ///< cmps: it may end early, by a comparison of (%rsi) with (%rdi)
  kRepeatedToEqual = 0x10,  ///< repne: elements that are equal end it; otherwise those that differ
  kRepeated = 0x40,         ///< set in each
};
/// kNoCondition: it does not repeat itself.
uint8_t repetition_of(const Instruction& instruction);

/// ins, outs, movs, cmps, stos, lods, scas, with or without a prefix.
bool is_string(const Instruction& instruction);

}  // namespace strut
