// bpf(2).
#pragma once

#include <cstddef>
#include <span>

#include "syscalls/notation.hpp"
#include "syscalls/types/bpf/bpf_constants.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

/// union bpf_attr by the command (argument 0) and the size (argument 2).
Value decode_bpf_attr(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kBpfAttrRead = kExtensible<2>;
inline constexpr Type kBpfAttr = notation::reading(notation::custom(decode_bpf_attr, 8), kBpfAttrRead);

/// The bytes of a structure after the `known` ones if they are not zero; else Absent.
Value bpf_excess(Decoder& decoder, std::span<const std::byte> structure, size_t known);
/// A structure's value with its excess bytes: abbreviated, it is cut.
Value with_bpf_excess(Decoder& decoder, const Value& structure, const Value& excess);

/// Commands with results in their structure when they have returned, and commands that return descriptors.
extern const CommandTable kBpfByCommand;

}  // namespace strut
