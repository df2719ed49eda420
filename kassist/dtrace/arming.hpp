// The sites of D probes that have no uprobe.
#pragma once

#include <vector>

#include "dlang/machine/engine.hpp"
#include "kassist/uprobes/uprobes.hpp"

namespace strut {

/// Sites that have none: it would not be safe, or the kernel has refused it.
std::vector<DRefusal> refusals_of(const DCode& code, const std::vector<RefusedUprobe>& refused);

}  // namespace strut
