// ltrace's text: a Sink that prints calls of functions, and of the system between them, as lines.
#pragma once

#include <cstdint>
#include <memory>

#include "formatters/common/output.hpp"
#include "formatters/common/text_buffer.hpp"
#include "formatters/strace/style.hpp"
#include "trace/sink.hpp"

namespace strut {

struct FunctionCall;

/// How ltrace's text looks.
struct LtraceStyle {
  uint32_t result_column = 50;   ///< -a: 5/8 of the screen's width
  uint32_t indent = 0;           ///< -n: blanks for each level of nesting
  size_t max_string_bytes = 32;  ///< -s
  bool pids = false;             ///< -f, or several processes
  bool bracketed_pid = true;     ///< `[pid N] `; else `N ` (-o)
  bool ip = false;               ///< -i
  AbsoluteTime absolute_time = AbsoluteTime::No;
  bool microseconds = false;   ///< -tt, -ttt
  bool relative_time = false;  ///< -r
  bool call_time = false;      ///< -T
  bool signals = true;         ///< unless -b
  bool errors = false;         ///< a failed call's errno by name, behind its result: not ltrace's
};

std::unique_ptr<Sink> make_ltrace_text(LtraceStyle style, std::shared_ptr<Output> log);

/// `name`, `caller->name` or `name@module`, as the call's label says.
void put_function_name(TextBuffer& out, const FunctionCall& call);

}  // namespace strut
