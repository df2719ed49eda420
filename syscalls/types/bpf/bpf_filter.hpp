// Classic BPF programs, struct sock_fprog: seccomp(2), SO_ATTACH_FILTER of socket(7).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// struct sock_fprog; the instructions only in full (-v). The meaning of a returned constant depends on the program's
/// use: seccomp's actions, or none; that of an absolute load likewise: ancillary data of sockets.
Value decode_seccomp_program(Decoder& decoder, uint64_t at, size_t);
Value decode_socket_program(Decoder& decoder, uint64_t at, size_t);
/// A program's instructions alone (SO_GET_FILTER).
Value decode_socket_instructions(Decoder& decoder, Addr at, uint64_t count);
inline constexpr Type kSeccompProgram = notation::custom(decode_seccomp_program, 16);
inline constexpr Type kSocketProgram = notation::custom(decode_socket_program, 16);

/// `count` instructions of a seccomp filter.
Value seccomp_instructions(Decoder& decoder, Addr at, uint64_t count);

}  // namespace strut
