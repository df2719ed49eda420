// The bytes after the known part of a structure, where the caller passed a larger size.
#pragma once

#include "syscalls/value.hpp"

namespace strut {

class Decoder;

/// For a structure of `bytes` bytes of which `known` are decoded: Absent if the rest is zero, else the rest as binary
/// text announced by `/* bytes 88..95 */`; `???` if it cannot be read. To be added as a nameless field.
Value trailing_bytes(Decoder& decoder, Addr structure, size_t known, uint64_t bytes);

}  // namespace strut
