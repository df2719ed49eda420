// DWARF expressions as call frame information uses them (DWARF 5, 2.5).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/unwinder.hpp"

namespace strut {

/// Words of the memory that a walk sees.
class WordSource {
 public:
  virtual ~WordSource() = default;
  /// The word at an address; false: it cannot be read.
  virtual bool read_word(uint64_t at, uint64_t& word) = 0;
};

/// What an expression gives, with `initial` on its stack if there is any. nullopt: it fails, has no end, or is of a
/// kind that call frame information does not use.
std::optional<uint64_t> evaluate(std::span<const std::byte> expression, std::optional<uint64_t> initial,
                                 const UserRegisters& registers, WordSource& memory);

}  // namespace strut
