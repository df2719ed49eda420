// Numbers of the system by name, which other systems' D has from its libraries (signal.d, errno.d, procfs.d).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strut {

/// SIGINT and other signals (signal(7)), except real-time signals (their numbers are the C library's); ENOENT and other
/// errors (errno(3)); CLD_EXITED and the other values of arg0 of proc:::exit (waitid(2)).
std::optional<int64_t> named_constant(std::string_view name);

}  // namespace strut
