// Checks of a D program before it is loaded into the kernel.
#pragma once

#include <initializer_list>

#include "base/result.hpp"
#include "dlang/compiler/program.hpp"

namespace strut {

/// Whether one of these instructions is in it.
bool uses(const DProgram& program, std::initializer_list<DOp> ops);
/// A bit for each of arg0 … and args[0] … that the program uses.
uint32_t arguments_used(const DProgram& program);
/// Whether a clause may be for probes with operands as arguments: statically defined ones, whose providers are known
/// when a process maps them, and those of instr.
/// Whether a clause is about watched memory.
bool watches_memory(const DProgram& program);
bool may_have_operands(const DClause& clause);
/// stack(), stackdepth.
bool uses_kernel_stack(const DProgram& program);
/// Whether it asks for the names of the probe that fired.
bool uses_names(const DProgram& program);

/// Error: `subject` is the construct that this kernel cannot do, `why` the reason. Instructions are not looked at one
/// by one: lowering them does that.
Result<void> check_for_kernel(const DProgram& program);

}  // namespace strut
