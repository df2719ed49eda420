// Where a process's dynamic linker says that code has come or gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "core/proc/maps.hpp"

namespace strut {

/// The empty function that the linker calls before it maps or unmaps something and when it is done (<link.h>: r_debug, r_brk).
struct LinkerBreakpoint {
  std::string path;       ///< of the linker's file, as strut opens it
  uint64_t file_offset = 0;
  int32_t to_debug = 0;   ///< bytes from there to its struct r_debug
};

/// Its linker's code; nullopt: it is linked statically, or gone.
std::optional<Mapping> linker_mapping(Pid pid);
/// nullopt: the linker that is mapped there does not say.
std::optional<LinkerBreakpoint> linker_breakpoint(Pid pid, const Mapping& mapping);

}  // namespace strut
