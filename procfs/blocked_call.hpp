// The system call that a thread is blocked in: proc(5), "/proc/pid/syscall". Reading it does not stop the thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.hpp"

namespace strut {

struct BlockedCall {
  int64_t nr = -1;  ///< as the kernel was given it; -1: the thread is blocked, or stopped, outside of a system call
  std::array<uint64_t, 6> arguments{};
  uint64_t sp = 0, ip = 0;
};

/// The file's one line. nullopt: "running", or malformed.
std::optional<BlockedCall> parse_blocked_call(std::string_view text);

/// nullopt: the thread runs or is gone, or the caller may not attach to it (errno is EPERM then).
std::optional<BlockedCall> blocked_call(Tid tid);

}  // namespace strut
