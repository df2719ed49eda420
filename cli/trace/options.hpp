// The command line of `strut trace`: what strace's options mean, and what only strut has, with CLI11's rules.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/strace/options.hpp"

namespace strut {

/// As parse_strace_options() does. Long options are not abbreviated.
Result<StraceOptions> parse_trace_options(std::span<const std::string> words, std::vector<std::string>& warnings);

/// What `strut trace --help` prints.
std::string trace_help();

}  // namespace strut
