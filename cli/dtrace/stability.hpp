// Stability attributes of probes and programs, as -v shows them (DTrace Guide, "Stability").
#pragma once

#include <string>
#include <string_view>

#include "dtrace/session/enabling.hpp"

namespace strut {

/// The lines of a listed probe: the attributes of its description and of its arguments.
std::string probe_stability(const DProbe& probe);
/// The lines of a program's source, the `source`-th: "Stability attributes for description BEGIN: …". `what` is
/// "description BEGIN".
std::string program_stability(std::string_view what, ProbeTable& table, const DProgram& program, uint32_t source);

}  // namespace strut
