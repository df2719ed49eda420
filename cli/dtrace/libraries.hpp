// D libraries: files of declarations in the folders of -L (dtrace(1M), "-L"), and those of providers.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"
#include "dlang/compiler/compile.hpp"
#include "dtrace/providers/probe_table.hpp"

namespace strut {

/// The libraries `*.d`, each behind those that it depends on. One with a dependency that is not there is left out.
/// Errors: a folder or a file that cannot be read, libraries that depend on each other.
Result<std::vector<DSource>> d_libraries(const DSettings& settings, const DProbeTypes& probes);

/// The declarations that the probes need which the sources' clauses describe. They precede the libraries of -L.
std::vector<DSource> provider_libraries(const ProbeTable& table, std::span<const DSource> sources,
                                        const DMacros& macros);

}  // namespace strut
