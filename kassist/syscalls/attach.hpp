// Which threads -p means, and why some cannot be followed.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "kassist/wire/wire.h"

namespace strut {

/// One id of -p that can be followed. It may be that of a thread.
struct AskedFor {
  Pid id;
  Pid process;
  wire_seeding extent;
};

struct AttachPlan {
  std::vector<AskedFor> targets;
  std::unordered_map<int32_t, wire_seeding> ids;  ///< for Programs::seed
  std::vector<std::string> complaints;            ///< a line for each id that cannot be followed
};

/// `whole_processes`: all threads (-f), else the named ones alone.
AttachPlan plan_attach(const std::vector<Pid>& asked, bool whole_processes);

/// The message about an id that no process has.
std::string no_process_has(Pid id);

/// The message about an id that could not be followed for want of memory.
std::string no_memory_for(Pid id);

/// The seeds that one id asked for.
std::vector<wire_seed> seeds_of(const AskedFor& target, const std::vector<wire_seed>& seeds);

}  // namespace strut
