// What could not be traced of functions, said at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "calls/call_points.hpp"
#include "cli/message.hpp"

namespace strut {

/// The first few complaints a line each, and how many there are more. `unmatched`: what names no function; if there is
/// such a thing, why that may be.
void say_complaints(const CallPoints& points, const std::vector<std::string>& unmatched, Messages& messages);

}  // namespace strut
