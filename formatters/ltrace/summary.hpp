// The table of counts and times at the end of a trace of functions (ltrace -c): a Sink that only writes when it
// finishes.
#pragma once

#include <memory>

#include "formatters/common/output.hpp"
#include "trace/sink.hpp"

namespace strut {

struct LtraceSummaryStyle {
  bool errors = false;  ///< a column of calls that failed: not ltrace's
};

/// Counts returns of functions and exits of system calls by name, with the time between entry and return.
std::unique_ptr<Sink> make_ltrace_summary(LtraceSummaryStyle style, std::shared_ptr<Output> output);

}  // namespace strut
