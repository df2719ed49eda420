// Extended BPF instructions, <linux/bpf.h>.
#pragma once

#include "syscalls/types/common/shown_bytes.hpp"

namespace strut {

/// struct bpf_insn.
Value show_bpf_instruction(Decoder& decoder, std::string_view bytes);
inline constexpr Type kBpfInstruction = kBytesShownBy<show_bpf_instruction, 8, Width::B4>;

}  // namespace strut
