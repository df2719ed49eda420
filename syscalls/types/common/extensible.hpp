// Structures that grow: the caller passes their size, newer ones are longer (openat2, mount_setattr, statmount …).
#pragma once

#include "syscalls/decoder.hpp"
#include "syscalls/type.hpp"

namespace strut {

/// The bytes after the `known` ones of a structure of `size` bytes: Absent if all are zero, the bytes with a comment
/// about their place, or `???` if they cannot be read. No more than one page counts: the kernel refuses longer
/// structures (copy_struct_from_user).
Value decode_excess(Decoder& decoder, Addr at, uint64_t known, uint64_t size);

/// A structure of `size` bytes at an address: its fields, then the bytes beyond the layout. Smaller than `smallest`, or
/// unreadable: the address.
Value decode_extensible(Decoder& decoder, const StructLayout& layout, Addr at, uint64_t size, uint64_t smallest);

}  // namespace strut
