// The paths of -P with the other names they are known by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/backend.hpp"

namespace strut {

/// Each path as typed, followed by its realpath(3) where that differs; `listener`, unless it is nullptr, gets those
/// that do.
std::vector<std::string> resolve_paths(const std::vector<std::string>& typed, Listener* listener);

/// Adds the whole name of each: the file need not be there, as long as its directory is; a symbolic link is meant
/// itself.
void add_whole_names(const std::vector<std::string>& typed, std::vector<std::string>& paths);

}  // namespace strut
