// The rules by which a frame's caller is found at one address (DWARF 5, 6.4.2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "ustack/cfi_section.hpp"

namespace strut {

/// Registers by their DWARF numbers (core/unwinder.hpp); the return address stands for the caller's instruction
/// pointer.
enum : uint8_t { kFramePointer = 6, kStackPointer = 7, kInstructionPointer = 16, kRuledRegisters = 17 };

/// What a register was in the caller.
struct CfiRule {
  enum class By : uint8_t {
    Same,       ///< as it is
    Undefined,  ///< unknown. Of the instruction pointer: there is no caller
    Saved,      ///< the word at CFA + offset
    Value,      ///< CFA + offset
    Register,   ///< what register `offset` is
    SavedAt,    ///< the word at what an expression gives
    ValueOf,    ///< what an expression gives
  };
  By by = By::Same;
  int64_t offset = 0;
  std::span<const std::byte> expression{};  ///< into the file
};

struct CfiRow {
  uint64_t cfa_register = kStackPointer;
  int64_t cfa_offset = 0;
  std::span<const std::byte> cfa_expression{};  ///< instead, if not empty
  std::array<CfiRule, kRuledRegisters> rules{};
  bool signal_frame = false;
};

/// The row in force at an address of the entry. nullopt: its instructions make no sense, or are of another machine.
std::optional<CfiRow> cfi_row(const FrameDescription& entry, uint64_t address);

}  // namespace strut
