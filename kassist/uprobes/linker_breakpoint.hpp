// Where a process's dynamic linker says that code has come or gone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

/// The empty function that the linker calls before it maps or unmaps something and when it is done (<link.h>: r_debug,
/// r_brk).
struct LinkerBreakpoint {
  uint64_t file_offset = 0;
  int32_t to_debug = 0;  ///< bytes from there to its struct r_debug
};

/// By its name: glibc's, or musl's, which is its C library.
bool is_linker(std::string_view path);
/// nullopt: this linker does not say.
std::optional<LinkerBreakpoint> linker_breakpoint(const std::string& path);

/// Where functions begin that this file exports, as offsets in it, ascending. Those that it has not are left out.
std::vector<uint64_t> offsets_of(std::span<const std::string_view> functions, const std::string& path);

}  // namespace strut
