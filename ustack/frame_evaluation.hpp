// Runs the expressions of call frame information (DWARF 5, 2.5).
#pragma once

#include <cstdint>
#include <optional>

#include "symtab/dwarf/frame_expression.hpp"
#include "trace/unwinder.hpp"
#include "ustack/frame_abi.hpp"

namespace strut {

/// Words of the memory that a walk sees.
class WordSource {
 public:
  virtual ~WordSource() = default;
  /// The `bytes` (at most 8) at an address, zero-extended; false: they cannot be read.
  virtual bool read_word(uint64_t at, uint64_t bytes, uint64_t& word) = 0;
};

/// A frame with a caller to be found.
struct FrameValues {
  const FrameAbi& abi;
  const UserRegisters& registers;
  uint64_t cfa = 0;
};

/// The value of an expression. nullopt: it fails, has no end, or is of a kind that call frame information does not use.
std::optional<uint64_t> evaluate(const FrameExpression& expression, const FrameValues& frame, WordSource& memory);

}  // namespace strut
