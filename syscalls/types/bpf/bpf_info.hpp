// The kernel's report of an object (BPF_OBJ_GET_INFO_BY_FD): struct bpf_prog_info and struct bpf_map_info,
// <linux/bpf.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The member `info` of the command's attributes, behind a descriptor and a length: in full (-v) the structure that it
/// points to, where the descriptor is a program's or a map's; else the address.
Value decode_bpf_info(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kBpfInfoBytes = notation::whole_bytes(4096, notation::by_field(1));
inline constexpr Type kBpfInfoPointer = notation::wide(notation::pointer_to(kBpfInfoBytes, notation::by_field(1)));
inline constexpr Type kBpfInfo = notation::reading(notation::custom(decode_bpf_info, 8, Width::B8), kBpfInfoPointer);

/// The members of struct bpf_prog_info that lead on, with their lengths: for capture plans.
extern const StructLayout kBpfProgramPointers;

}  // namespace strut
