// Events as JSON, one object a line (--format json). docs/json.md describes the keys.
#pragma once

#include <memory>

#include "formatters/common/format_context.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Writes a first line about the run, then one object per finished call and per other event.
std::unique_ptr<Sink> make_json_lines(FormatContext context);

}  // namespace strut
