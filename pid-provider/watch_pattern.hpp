// The meaning of a probe description of the provider watch: memory of one process, and which accesses to it fire.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "pid-provider/pid_pattern.hpp"
#include "x86/watched_range.hpp"

namespace strut {

struct WatchPattern {
  Pid pid{};
  std::string module;    ///< a shell pattern; empty: any
  std::string variable;  ///< a symbol's name; empty: `offset` is an address
  uint64_t offset = 0;   ///< bytes from the symbol's beginning
  WatchAccess access = WatchAccess::Write;
  uint8_t bytes = 0;  ///< 0: those of the variable
};

/// True for "watch" followed by a number, "$target" or "*".
bool is_watch_provider(std::string_view provider);
/// Or "watch" alone.
bool is_about_memory(const ProbeDescription& description);

/// For a description that is about memory; "watch" alone is an error.
std::expected<WatchPattern, Complaint> watch_pattern(const ProbeDescription& description);

}  // namespace strut
