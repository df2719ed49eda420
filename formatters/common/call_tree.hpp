// Calls of functions as a tree: a line for each that called no other, braces around what others called, times in front.
#pragma once

#include <memory>

#include "formatters/ltrace/text.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Of the style: strings' length, pids, signals, errors, -n (2 if it is 0) and times of day count.
std::unique_ptr<Sink> make_call_tree(LtraceStyle style, std::shared_ptr<Output> log);

}  // namespace strut
