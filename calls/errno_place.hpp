// Where threads of a process keep errno: a thread-local variable of the C library.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "calls/code_places.hpp"
#include "core/memory.hpp"

namespace strut {

/// Bytes from a thread's %fs base: the offset of the library's `errno` in its storage, whose place the dynamic linker has filled in
/// for one of its relocations R_X86_64_TPOFF64 (ELF Handling For
/// Thread-Local Storage, 4.1.4). nullopt: no library has one, or it was not relocated yet.
std::optional<int64_t> errno_place(std::span<const PlacedModule> modules, Memory& memory);

}  // namespace strut
