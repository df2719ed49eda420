#include "formatters/formats.hpp"

#include "formatters/json/lines.hpp"
#include "formatters/strace/strace_text.hpp"
#include "trace/partial_sink.hpp"

namespace strut {

namespace {

std::unique_ptr<Sink> strace_lines(FormatContext context) {
  return make_strace_text(std::move(context.style), std::move(context.log), std::move(context.messages));
}

std::unique_ptr<Sink> json_lines(FormatContext context) {
  if (context.style.summary_only) return std::make_unique<PartialSink>();
  return make_json_lines(std::move(context.log));
}

/// The first is the default.
constexpr OutputFormat kFormats[] = {
    {"text", false, strace_lines, put_summary_table},
    {"json", true, json_lines, put_summary_json},
};

}  // namespace

const OutputFormat& usual_format() { return kFormats[0]; }

const OutputFormat* find_format(std::string_view name) {
  for (const OutputFormat& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

std::string format_names() {
  std::string names;
  for (const OutputFormat& format : kFormats) {
    bool is_first = &format == std::begin(kFormats), is_last = &format == std::end(kFormats) - 1;
    if (!is_first) names += is_last ? " or " : ", ";
    names += format.name;
  }
  return names;
}

}  // namespace strut
