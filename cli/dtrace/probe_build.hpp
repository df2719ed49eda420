// What a program with probes of its own is built with (dtrace -h, dtrace -G).
#pragma once

#include <span>

#include "base/result.hpp"
#include "cli/dtrace/options.hpp"
#include "dlang/language/source.hpp"

namespace strut {

/// Writes the header with the probes that the sources declare, or an object: sites are in the program's own objects, so
/// nothing needs to be linked with them.
Result<void> build_probes(const DtraceOptions& options, std::span<const DSource> sources);

}  // namespace strut
