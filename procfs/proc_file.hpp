// Bounded reads of files below /proc.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace strut {

/// The whole of a file that may change while it is read, at most `limit` bytes. nullopt: it cannot be opened or read
/// (errno says why).
std::optional<std::string> read_proc_file(const char* path, size_t limit);

/// The target of a symbolic link, at most 64 KiB. nullopt: not a link, or gone (errno has the reason).
std::optional<std::string> read_proc_link(const char* path);

/// A path below /proc/ID, on the caller's stack: proc_path(12, "comm") is "/proc/12/comm" (proc_root()).
struct ProcPath {
  char text[96];
  operator const char*() const { return text; }
};
ProcPath proc_path(int32_t id, const char* name);
/// A path with a number at the end: "/proc/12/fd/3".
ProcPath proc_path(int32_t id, const char* folder, int32_t number);
/// "/proc/12/task/12/stat": the kernel sums "/proc/12/stat" over all threads of the process, in time proportional to
/// their number.
ProcPath thread_stat_path(int32_t tid);

}  // namespace strut
