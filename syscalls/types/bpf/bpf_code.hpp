// The operation codes of BPF instructions, classic and extended.
#pragma once

#include "syscalls/value.hpp"

namespace strut {

class Decoder;

enum class BpfDialect : uint8_t { Classic, Extended };

/// The parts of an instruction's code, by its class: BPF_JMP|BPF_K|BPF_JEQ.
Value bpf_code(Decoder& decoder, uint16_t code, BpfDialect dialect);

}  // namespace strut
