// Private to x86. Instructions that the installed Capstone does not know, by tables of encodings.
#pragma once

#include "x86/instruction.hpp"

namespace strut {

/// Length, flow, and the place of its memory operand. Its written registers err on the safe side.
std::expected<Instruction, Undecodable> decode_unknown(std::span<const std::byte> code, uint64_t address);

}  // namespace strut
