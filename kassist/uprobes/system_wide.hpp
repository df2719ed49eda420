// A system-wide trace: the processes that it follows, and those that it must never follow.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "kassist/wire/wire.h"
#include "trace/request.hpp"

namespace strut {

/// The programs' filter for processes. Error: there is no such cgroup.
Result<wire_choice> choice_of(const SystemWide& asked);

/// This process, its children, and the processes that read its output (pipes, sockets, terminals): to follow them would
/// be to follow our own writing, without end. For Programs::seed.
std::unordered_map<int32_t, wire_seeding> exempt_processes();

/// Seeds by their process, leaders first.
std::vector<std::vector<wire_seed>> by_process(std::vector<wire_seed> seeds);

}  // namespace strut
