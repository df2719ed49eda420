// The arguments of a probe at an instruction.
#pragma once

#include <vector>

#include "x86/instruction.hpp"
#include "x86/site_operand.hpp"

namespace strut {

/// arg0: 1 if the branch is taken, or the condition of cmovcc and setcc holds; 0 if not. arg1: the address that a
/// branch leads to if it is taken; SiteOperand::Place::Unknown for far ones and those behind %fs and %gs. Instructions
/// that neither branch nor depend on a condition have no arguments.
std::vector<SiteOperand> instruction_arguments(const Instruction& instruction);

}  // namespace strut
