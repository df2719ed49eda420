// The first record of a trace in JSON (docs/json.md, "The first line").
#pragma once

#include <string_view>

#include "formatters/common/format_context.hpp"
#include "formatters/json/writer.hpp"

namespace strut {

/// Raised when a member changes its type or its meaning; new members and new types of lines do not change it.
inline constexpr int64_t kJsonFormat = 2;

/// A whole line: the format's and strut's versions, the run, the machine, and one moment by two clocks.
void put_json_beginning(TextBuffer& out, const RunFacts& facts, std::string_view backend);

}  // namespace strut
