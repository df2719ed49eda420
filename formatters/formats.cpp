#include "formatters/formats.hpp"

namespace strut {

#define FORMAT(name, what, maker, summary) std::unique_ptr<Sink> maker(FormatContext context);
#include "formatters/formats.inc"
#undef FORMAT

namespace {

/// The first is the default.
constexpr OutputFormat kFormats[] = {
    {"text", nullptr, put_summary_table},
#define FORMAT(name, what, maker, summary) {name, maker, summary},
#include "formatters/formats.inc"
#undef FORMAT
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

void request_details(const OutputFormat& format, TraceRequest& request) {
  if (format.is_text()) return;
  request.need_times = request.need_return_times = request.need_comm = true;
}

}  // namespace strut
