// Extended BPF instructions, <linux/bpf.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// struct bpf_insn.
Value decode_bpf_instruction(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kBpfInstruction = notation::custom(decode_bpf_instruction, 8, Width::B4);

}  // namespace strut
