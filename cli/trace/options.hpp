// The command line of `strut trace`: strace's options with the same meaning, and strut's own, by CLI11's rules.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/common/command_line.hpp"
#include "cli/strace/options.hpp"

namespace strut {

extern const CommandText kTraceCommand;

/// As parse_strace_options() does. Long options are not abbreviated.
Result<StraceOptions> parse_trace_options(std::span<const std::string> words, std::vector<std::string>& warnings);

/// The output of `strut trace --help`.
std::string trace_help();

}  // namespace strut
