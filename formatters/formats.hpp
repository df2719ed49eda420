// The output formats of --format, a row each.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "formatters/common/format_context.hpp"
#include "formatters/strace/summary.hpp"
#include "trace/request.hpp"
#include "trace/sink.hpp"

namespace strut {

struct OutputFormat {
  std::string_view name;
  /// nullptr: the text of the tool that traces.
  std::unique_ptr<Sink> (*make)(FormatContext context);
  SummaryText* summary;  ///< of counts (-c, -C); nullptr: the format shows none
  bool is_text() const { return make == nullptr; }
};

/// The tool's own text.
const OutputFormat& usual_format();

/// nullptr: there is no such format.
const OutputFormat* find_format(std::string_view name);

/// "text or json", for messages.
std::string format_names();

/// Has backends fill in what every format but text shows of each event: names of threads, and the time of each call's
/// return, which costs the target.
void request_details(const OutputFormat& format, TraceRequest& request);

}  // namespace strut
