// Numbers of the system by name, which other systems' D has from its libraries (signal.d, errno.d, procfs.d).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strut {

/// SIGINT and the like (signal(7)), but for real-time signals, whose numbers are the C library's; ENOENT and the like
/// (errno(3)); CLD_EXITED and the like, what arg0 of proc:::exit is (waitid(2)).
std::optional<int64_t> named_constant(std::string_view name);

}  // namespace strut
