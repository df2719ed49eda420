// Where a process's dynamic linker says that code has come or gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/proc/maps.hpp"

namespace strut {

/// The empty function that the linker calls before it maps or unmaps something and when it is done (<link.h>: r_debug, r_brk).
struct LinkerBreakpoint {
  std::string path;       ///< of the linker's file, as strut opens it
  uint64_t file_offset = 0;
  int32_t to_debug = 0;   ///< bytes from there to its struct r_debug
};

/// By its name: glibc's, or musl's, which is its C library.
bool is_linker(std::string_view path);
/// nullopt: the linker that is mapped there does not say.
std::optional<LinkerBreakpoint> linker_breakpoint(Pid pid, const Mapping& mapping);
std::optional<LinkerBreakpoint> linker_breakpoint(const std::string& path);

/// Where the C library's functions begin by which programs make processes, as offsets in the file that is mapped there. Empty: it is
/// no C library, or says nothing of them.
std::vector<uint64_t> makers_of_processes(Pid pid, const Mapping& mapping);

}  // namespace strut
