// Where instructions begin in code that no frame description covers: the start-up code that gcc links into each
// program, and programs without .eh_frame.
#pragma once

#include <cstdint>
#include <vector>

#include "pid-provider/functions.hpp"
#include "symtab/elf/function_bounds.hpp"

namespace strut {

/// Reads each run of such code once, from the end of the function that is described before it (or the beginning of its
/// section) to the next described one. Asked for addresses in ascending order.
class UndescribedCode {
 public:
  /// Both outlive it.
  UndescribedCode(const ElfFile& file, const FunctionBounds& bounds) : file_(file), bounds_(bounds) {}

  /// True if the run around an address that is not described is nothing but instructions, as far as they show, and the
  /// address is inside one of them. False where bytes are no instructions, branches lead between them, or the code
  /// reads bytes of the run: such a run has data in it, and reading on behind data can go wrong.
  bool is_inside_instruction(uint64_t address);

 private:
  struct Run {
    CodeRange range;
    std::vector<bool> begins;  ///< by offset in the range; empty: no evidence
  };
  CodeRange range_around(uint64_t address);
  std::vector<bool> beginnings(const CodeRange& range) const;

  const ElfFile& file_;
  const FunctionBounds& bounds_;
  size_t passed_ = 0;   ///< descriptions that begin at or below the last address
  uint64_t reach_ = 0;  ///< the furthest end of those
  Run last_;
};

}  // namespace strut
