// Reports function calls that could not be traced, at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "cli/common/message.hpp"
#include "libcalls/arming/call_points.hpp"

namespace strut {

/// `names`: those that match no function. Empty if files could not be read: the names may be of functions in these,
/// and complaints say which files.
std::vector<std::string> surely_unmatched(const CallFindings& findings, std::vector<std::string> names);

/// Prints the first few complaints, one per line, and the number of the others. `unmatched`: names that match no
/// function; for these a possible reason is added.
void say_complaints(const CallFindings& findings, const std::vector<std::string>& unmatched, Messages& messages);

}  // namespace strut
