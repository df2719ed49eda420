// Function calls as a tree: one line for a call that made no others, braces around nested calls, times in front.
#pragma once

#include <memory>

#include "formatters/ltrace/text.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Uses the style's string length, pids, signals, errors, -n (2 if it is 0) and times of day.
std::unique_ptr<Sink> make_call_tree(LtraceStyle style, std::shared_ptr<Output> log);

}  // namespace strut
