// Classic BPF programs, struct sock_fprog: seccomp(2), SO_ATTACH_FILTER of socket(7).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

inline constexpr uint32_t kMaxBpfInstructions = 4096;  // BPF_MAXINSNS

/// struct sock_filter. The meaning of a returned constant depends on the program's use: seccomp's actions, or none;
/// that of an absolute load likewise: ancillary data of sockets.
extern const Type kSeccompInstruction, kSocketInstruction;
/// struct sock_fprog; the instructions only in full (-v).
extern const Type kSeccompProgram, kSocketProgram;

/// A socket's instructions, no more than a program can have.
Value socket_instructions(Decoder& decoder, Addr at, uint64_t count);

}  // namespace strut
