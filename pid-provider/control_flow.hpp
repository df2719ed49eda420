// The contents of a function's code: its instructions, its returns, and the parts in doubt.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pid-provider/functions.hpp"
#include "x86/instruction.hpp"

namespace strut {

/// An instruction by which control leaves a function for good.
struct ReturnSite {
  enum class Kind : uint8_t {
    Return,            ///< ret
    TailJump,          ///< jmp to another function
    TailJumpIf,        ///< jcc to another function: a return only if its condition holds
    TailJumpIndirect,  ///< jmp through a pointer, with nothing of the function left on the stack
  };
  uint64_t address = 0;
  Kind kind = Kind::Return;
  uint8_t condition = kNoCondition;  ///< TailJumpIf: as condition_of() has it
};

/// Bytes inside a function that are no instructions, or perhaps none.
struct Doubt {
  enum class Why : uint8_t {
    Undecodable,  ///< and nothing jumps there
    Data,         ///< the function's own code reads them
    Crossed,      ///< control also arrives in the middle of a presumed instruction
  };
  CodeRange range;
  Why why = Why::Undecodable;
};

/// A function, decoded. The first part is the function's own range; the others are cold parts that it jumps to.
struct DecodedFunction {
  std::vector<CodeRange> parts;
  std::vector<Instruction> instructions;  ///< of all parts, ascending; without those in doubt
  std::vector<ReturnSite> returns;        ///< ascending
  std::vector<Doubt> doubts;
  std::vector<uint64_t> targets;  ///< for its own jumps into its own code, ascending
  /// An indirect jump with unknown targets was found (a computed goto): presumably no return.
  bool has_unknown_jump = false;
  /// Control runs past its end with nothing of it left on the stack: into the function behind it, which returns in its
  /// stead.
  bool runs_out = false;
  bool has_call = false;
  bool has_system_call = false;

  /// The instruction that begins at an address; nullptr: none does.
  const Instruction* at(uint64_t address) const;
  bool is_target(uint64_t address) const;
};

/// Decodes a function along its control flow. Reads nothing but the module's file.
DecodedFunction decode_function(const ModuleFunctions& functions, const CodeRange& range);

}  // namespace strut
