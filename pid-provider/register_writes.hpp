// What an instruction changes, where that is one general register or nothing but flags.
#pragma once

#include <optional>

#include "pid-provider/instruction.hpp"

namespace strut {

inline constexpr unsigned kRcx = 1, kRdx = 2, kRsp = 4, kRsi = 6, kRdi = 7, kR8 = 8,
                          kR9 = 9;  ///< as ModRM and REX number them
inline constexpr unsigned kNoRegister = 16;

/// The general register that an instruction writes if it does nothing else: it writes no memory, no vector register,
/// does not push or pop, and what it reads is sure to be there: registers, constants, its module's own memory or, at a
/// distance from %fs, its thread's own. nullopt: it does something else, or this does not know it. kNoRegister: it
/// writes flags at most. Source: Intel SDM, volume 2, appendix A.
std::optional<unsigned> only_written(const Instruction& instruction);

/// Whether an instruction may write a general register, beside what else it does; true where this does not know. A call
/// writes none here.
bool may_write(const Instruction& instruction, unsigned reg);

}  // namespace strut
