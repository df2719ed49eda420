// Events as JSON, one object a line (`strut trace --format json`). docs/json.md describes the keys.
#pragma once

#include <memory>

#include "formatters/common/output.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Writes one object per finished call and per other event to `output`.
std::unique_ptr<Sink> make_json_lines(std::shared_ptr<Output> output);

}  // namespace strut
