// The place of a variable by its location description. Private to symtab.
#pragma once

#include <expected>
#include <string>

#include "symtab/dwarf/call_frames.hpp"
#include "symtab/dwarf/die.hpp"
#include "symtab/dwarf/variables.hpp"

namespace strut {

/// A variable's place while its thread is at an instruction.
struct DescribedPlace {
  VariablePlace place;
  /// The description is the same all over the function, and is about the function's frame: before the function has set
  /// that up it is not true.
  bool is_of_frame = false;
};
/// `function` is the entry with the instruction in its code; nullptr: the variable is global. Error: why there is none.
std::expected<DescribedPlace, std::string> described_place(const Die& variable, const Die* function,
                                                           const CallFrames& frames, uint64_t file_address);

}  // namespace strut
