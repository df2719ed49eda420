// Probes where lines of sources begin.
#pragma once

#include "pid-provider/functions.hpp"
#include "pid-provider/pid_pattern.hpp"
#include "pid-provider/points.hpp"
#include "symtab/dwarf/line_search.hpp"

namespace strut {

/// The lines of a module's sources that a pattern of Place::Line means.
LinesFound lines_of(const ModuleFunctions& functions, const PidPattern& pattern);

/// Adds their probes: for each line of a function one, which has a site for each copy of the line there. A cold part is
/// a part of its owner. False: there are more than limits.max_probes.
bool add_lines(const ModuleFunctions& functions, const PidPattern& pattern, const ProbeLimits& limits, ProbeList& list);

}  // namespace strut
