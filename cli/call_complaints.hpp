// What could not be traced of functions, said at the end of a run.
#pragma once

#include "calls/call_points.hpp"
#include "cli/message.hpp"

namespace strut {

/// The first few complaints a line each, and how many there are more.
void say_complaints(const CallPoints& points, Messages& messages);

}  // namespace strut
