// The output formats of `strut trace --format`, a row each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "formatters/common/output.hpp"
#include "formatters/strace/style.hpp"
#include "formatters/strace/summary.hpp"
#include "trace/sink.hpp"

namespace strut {

/// The outputs and the style of a run.
struct FormatContext {
  StraceStyle style;
  std::shared_ptr<Output> log;
  std::shared_ptr<Output> messages;  ///< nullptr: none
};

struct OutputFormat {
  std::string_view name;
  /// The format needs the time of each call's return (TraceRequest::need_return_times), which costs the target.
  bool needs_return_times;
  std::unique_ptr<Sink> (*make)(FormatContext context);
  SummaryText* summary;  ///< of -c and -C
};

/// The default format.
const OutputFormat& usual_format();

/// nullptr: there is no such format.
const OutputFormat* find_format(std::string_view name);

/// "text or json", for messages.
std::string format_names();

}  // namespace strut
