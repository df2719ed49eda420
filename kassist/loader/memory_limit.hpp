// How much memory strut's cgroup may use: cgroups(7), Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strut {

/// Which cgroup counts a process's memory.
struct MemoryGroup {
  std::string folder;  ///< below its hierarchy's usual mount point, which it begins with
  size_t root_length;  ///< for the mount point
  std::string file;    ///< that has a group's limit
};
/// From the text of /proc/PID/cgroup; nullopt: no controller counts memory.
std::optional<MemoryGroup> memory_group(std::string_view text);

/// The least limit of our group and those above it, in bytes; nullopt: there is none, or it cannot be read.
std::optional<uint64_t> memory_limit();

}  // namespace strut
