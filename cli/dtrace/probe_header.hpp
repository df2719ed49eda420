// The header for programs with probes of their own (dtrace -h).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/dtrace/declared_probes.hpp"

namespace strut {

/// C and C++: PROVIDER_PROBE(arg0, …) makes the probe's site with its note and operands (.note.stapsdt),
/// PROVIDER_PROBE_ENABLED() reads its semaphore. `file`: the header's own name, for its guard.
std::string probe_header(std::string_view file, std::span<const DeclaredProbe> probes);

}  // namespace strut
