// The mappings of a process: proc(5), "/proc/pid/maps".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

/// One line of the file: addresses [start, end).
struct Mapping {
  Addr start{};
  Addr end{};
  bool readable = false;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  uint64_t offset = 0;  ///< bytes into the file
  uint32_t device_major = 0;
  uint32_t device_minor = 0;
  uint64_t inode = 0;
  /// As the file has it: "/lib/x.so", "[stack]", "/x (deleted)", newline as "\012"; empty: anonymous.
  std::string path;
};

/// One line without its newline. nullopt: malformed.
std::optional<Mapping> parse_mapping(std::string_view line);

/// All mappings in ascending order. Malformed lines are left out. Error ESRCH: no such process.
Result<std::vector<Mapping>> maps_of(Pid pid);

/// Whether processes show their mappings. Error: /proc is missing, or hides them.
Result<void> check_maps_are_shown();

/// The file itself that is mapped there, whatever became of its name: proc(5), "/proc/pid/map_files/".
std::string map_file_path(Pid pid, const Mapping& mapping);

}  // namespace strut
