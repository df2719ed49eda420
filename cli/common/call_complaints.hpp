// What could not be traced of functions, said at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "cli/common/message.hpp"
#include "libcalls/arming/call_points.hpp"

namespace strut {

/// `names`: those that match no function. Empty if files could not be read: the names may be of functions in these,
/// and complaints say which files.
std::vector<std::string> surely_unmatched(const CallPoints& points, std::vector<std::string> names);

/// The first few complaints a line each, and how many there are more. `unmatched`: what names no function; if there is
/// such a thing, why that may be.
void say_complaints(const CallPoints& points, const std::vector<std::string>& unmatched, Messages& messages);

}  // namespace strut
