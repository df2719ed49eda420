// Events in Chrome's trace event format, a JSON array: https://ui.perfetto.dev and chrome://tracing show it as a
// timeline. Source: "Trace Event Format" of the Chromium project ("X", "i" and "M" events, the JSON array format).
#pragma once

#include <memory>

#include "formatters/common/format_context.hpp"
#include "trace/sink.hpp"

namespace strut {

/// A bar for each call of the system or of a function, a mark for signals, ends and lost events, names of processes and
/// threads.
std::unique_ptr<Sink> make_chrome_timeline(FormatContext context);

}  // namespace strut
