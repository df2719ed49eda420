// The table of counts and times at the end of a trace of functions (ltrace -c): a Sink that only writes when it
// finishes.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "formatters/common/output.hpp"
#include "formatters/common/text_buffer.hpp"
#include "trace/sink.hpp"

namespace strut {

struct LtraceSummaryStyle {
  bool errors = false;  ///< a column of calls that failed: not ltrace's
};

/// The counts of a function or of a system call.
struct LtraceCounts {
  std::string name;  ///< a system call's with SYS_ in front
  bool is_syscall = false;
  uint64_t ns = 0, calls = 0, errors = 0;
};

/// Writes the counts, which are sorted.
using LtraceCountsText = void(TextBuffer& out, LtraceSummaryStyle style, std::span<const LtraceCounts> rows);
LtraceCountsText put_ltrace_counts_table;
LtraceCountsText put_ltrace_counts_json;  ///< an object a line (docs/json.md)

/// Counts returns of functions and exits of system calls by name, with the time between entry and return.
std::unique_ptr<Sink> make_ltrace_summary(LtraceSummaryStyle style, std::shared_ptr<Output> output,
                                          LtraceCountsText* text = put_ltrace_counts_table);

}  // namespace strut
