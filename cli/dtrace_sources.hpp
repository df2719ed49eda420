// The programs of `dtrace`'s command line as texts of D, and what messages say about them.
#pragma once

#include <string>
#include <vector>

#include "cli/dtrace_options.hpp"
#include "dlang/compile.hpp"
#include "dtrace/enabling.hpp"

namespace strut {

/// One source for each program of the options. Errors: a file that cannot be read, an id that is nobody's, cpp failed.
Result<std::vector<DSource>> dtrace_sources(const DtraceOptions& options, const ProbeTable& table);

/// "description 'syscall::mu*:' matched 6 probes", "script 'x.d' matched 1 probe".
std::string matched_text(const DtraceProgram& program, uint64_t count);
/// "invalid probe specifier X: …", "failed to compile script x.d: line 3: …".
std::string error_text(const DtraceProgram& program, const Diagnostic& diagnostic, const DSettings& settings);
/// The same of a description that means no probe.
std::string no_match_text(const DtraceProgram& program, const DProgram& compiled, const DAsked& asked, const std::string& reason);

}  // namespace strut
