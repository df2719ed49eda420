// The types and conditions in which the members of union bpf_attr are described. Included by its layouts only.
#pragma once

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/bpf/bpf_constants.hpp"
#include "syscalls/types/socket/link_names.hpp"

namespace strut::bpf {

/// True if the caller's size (argument 2 of bpf(2)) is larger than this.
template <uint32_t kBytes>
bool over(Decoder& decoder, Addr) {
  return static_cast<uint32_t>(decoder.arg(2)) > kBytes;
}

inline constexpr Type kFar = notation::kWideAddress;

/// Attach types with an interface as target instead of a descriptor: XDP, tcx and netkit.
bool attaches_to_interface(uint32_t attach_type);

constexpr uint32_t kAttachById = 1u << 5, kAttachReplace = 1u << 2;  // BPF_F_ID, BPF_F_REPLACE

}  // namespace strut::bpf
