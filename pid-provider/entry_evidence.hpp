// Whether a function can begin at a symbol's address, by the file's other information. A symbol table may be damaged or
// belong to another build; a breakpoint in the middle of an instruction, or in data, changes the program's behaviour.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pid-provider/undescribed_code.hpp"
#include "symtab/elf/function_bounds.hpp"
#include "x86/instruction.hpp"

namespace strut {

/// Asked for addresses in ascending order, it decodes each described function at most once.
class EntryEvidence {
 public:
  /// Both outlive it. Of `functions` the names and ranges may still be wrong.
  EntryEvidence(const ModuleFunctions& functions, const FunctionBounds& bounds)
      : functions_(functions), bounds_(bounds), undescribed_(functions.file(), bounds) {}

  /// True if the file proves that no instruction begins at the address: its section holds no code, or the function that
  /// .eh_frame describes there, decoded from its beginning, has the address inside an instruction or inside of data.
  /// Code that nothing describes contradicts where it is nothing but instructions (UndescribedCode). Further entries of
  /// a described function are not contradicted.
  bool contradicts(uint64_t address);

 private:
  struct Decoded {
    FunctionBounds::Bounds bounds;
    std::vector<Instruction> instructions;     ///< ascending
    std::vector<uint64_t> targets;             ///< for the function's own jumps, ascending
    std::vector<FunctionBounds::Bounds> data;  ///< runs of bytes that it reads, ascending
  };
  const Decoded& decoded(const FunctionBounds::Bounds& bounds);

  const ModuleFunctions& functions_;
  const FunctionBounds& bounds_;
  UndescribedCode undescribed_;
  std::optional<Decoded> last_;
};

}  // namespace strut
