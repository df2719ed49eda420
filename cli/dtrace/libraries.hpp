// D libraries: files of declarations in the folders of -L (dtrace(1M), "-L").
#pragma once

#include <vector>

#include "base/result.hpp"
#include "dlang/compiler/compile.hpp"

namespace strut {

/// The libraries `*.d`, each behind those that it depends on. One with a dependency that is not there is left out.
/// Errors: a folder or a file that cannot be read, libraries that depend on each other.
Result<std::vector<DSource>> d_libraries(const DSettings& settings, const DProbeTypes& probes);

}  // namespace strut
