// The content of union bpf_attr for each command of bpf(2), <linux/bpf.h>.
#pragma once

#include <cstddef>
#include <span>

#include "syscalls/type.hpp"

namespace strut {

/// The part of union bpf_attr that a command uses. Fields are shown if the size that the caller passed (argument 2)
/// reaches into them or into their group; bytes after that size read as zero.
struct BpfAttr {
  const char* member;          ///< the member of the union that holds the fields; nullptr: the union itself
  const StructLayout* layout;  ///< nullptr: the command is not known
};

inline constexpr uint32_t kBpfObjectInfo = 15;           // BPF_OBJ_GET_INFO_BY_FD
inline constexpr uint32_t kBpfLinkCreate = 28;           // BPF_LINK_CREATE
inline constexpr uint16_t kBpfLinkAttachTypeOffset = 8;  ///< for the attach type

/// `attr`: the union, at least 16 bytes: BPF_LINK_CREATE's attach type decides the rest of its structure.
BpfAttr bpf_attr_of(uint32_t command, std::span<const std::byte> attr);

}  // namespace strut
