// Where threads of a process keep errno: a thread-local variable of the C library.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/memory.hpp"
#include "libcalls/modules/code_places.hpp"

namespace strut {

/// Bytes from a thread's %fs base: the offset of the library's `errno` in its storage, plus the storage's place, which
/// the dynamic linker fills in for one of its relocations R_X86_64_TPOFF64: initial libraries are in the order of the
/// link map, each module's storage below the one before it (ELF Handling For Thread-Local Storage, 3.4.2, variant II).
/// `order`: the modules in that order; empty: not known. nullopt: no library has an errno, or the place is unknown.
std::optional<int64_t> errno_place(std::span<const PlacedModule> modules, std::span<const CallModule* const> order,
                                   Memory& memory);

}  // namespace strut
