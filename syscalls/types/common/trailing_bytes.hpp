// What stands behind the part of a structure that the table knows, where the caller said that there is more.
#pragma once

#include "syscalls/value.hpp"

namespace strut {

class Decoder;

/// For a structure of `bytes` bytes of which `known` are decoded: Absent if the rest is zero, else the rest as binary
/// text announced by `/* bytes 88..95 */`; `???` if it cannot be read. To be added as a nameless field.
Value trailing_bytes(Decoder& decoder, Addr structure, size_t known, uint64_t bytes);

}  // namespace strut
