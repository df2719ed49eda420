// The help of `strut strace`: -h and --tips.
#pragma once

#include <string>

#include "cli/strace/options.hpp"

namespace strut {

/// The text of -h.
std::string strace_help();

/// Prints the tip that --tips asks for to stderr; none if it was not given.
void show_tip(const StraceOptions& options);

}  // namespace strut
