// From the sites of D probes to uprobes, and back to sites where the kernel has refused one.
#pragma once

#include <cstdint>
#include <vector>

#include "dlang/machine/engine.hpp"
#include "kassist/uprobes/uprobes.hpp"

namespace strut {

/// Uprobes for those sites that can have one, in the order of arming; `cookies`: of each site.
std::vector<UprobePoint> points_of(const DCode& code, const std::vector<uint64_t>& cookies);

/// Sites that have none: it would not be safe, or the kernel has refused it.
std::vector<DRefusal> refusals_of(const DCode& code, const std::vector<RefusedUprobe>& refused);

}  // namespace strut
