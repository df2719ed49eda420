// The members of union bpf_attr that make and change links of BPF programs, <linux/bpf.h>.
#pragma once

#include <span>

#include "syscalls/type.hpp"

namespace strut {

/// BPF_LINK_CREATE: how it goes on behind the attach type and the flags depends on them.
const StructLayout& bpf_link_layout(uint32_t attach_type, uint32_t flags);

/// Attach types (enum bpf_attach_type) with a layout of links of their own, apart from changes by flags.
struct BpfLinkRange {
  uint8_t first, last;
  const StructLayout* layout;
};
std::span<const BpfLinkRange> bpf_link_ranges();

extern const StructLayout kBpfLinkUpdate;
extern const StructLayout kBpfLinkDetach;
extern const StructLayout kBpfIterCreate;

}  // namespace strut
