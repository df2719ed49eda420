// The effect of each of strace's options on the parser's state. Part of the option parser.
#pragma once

#include <string_view>

#include "cli/strace/parsing.hpp"

namespace strut {

using Taken = Result<void>;

/// "invalid -s argument: 'x'", with the option as it was spelled.
std::unexpected<Error> invalid_argument(const StraceParsing& parsing, std::string_view value);

// -- looks of lines
Taken take_columns(StraceParsing& parsing, std::string_view value);
Taken take_string_limit(StraceParsing& parsing, std::string_view value);
Taken take_colour(StraceParsing& parsing, std::string_view value);
Taken take_hex_strings(StraceParsing& parsing, std::string_view value);
Taken take_names_as(StraceParsing& parsing, std::string_view value);
Taken take_timestamps(StraceParsing& parsing, std::string_view value);
Taken take_relative_timestamps(StraceParsing& parsing, std::string_view value);
Taken take_syscall_times(StraceParsing& parsing, std::string_view value);
Taken take_tips(StraceParsing& parsing, std::string_view value);

// -- the summary
Taken take_summary(StraceParsing& parsing, SummaryMode mode);
Taken take_overhead(StraceParsing& parsing, std::string_view value);
Taken take_sort_by(StraceParsing& parsing, std::string_view value);
Taken take_summary_columns(StraceParsing& parsing, std::string_view value);

}  // namespace strut
