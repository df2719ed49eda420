#include <algorithm>

#include "cli/common/numbers.hpp"
#include "cli/strace/take.hpp"

namespace strut {

Taken take_overhead(StraceParsing& p, std::string_view value) {
  auto ns = parse_time_span_ns(value);
  if (!ns) return invalid_argument(p, value);
  p.options.summary_style.overhead_ns = *ns;
  return {};
}

Taken take_sort_by(StraceParsing& p, std::string_view value) {
  auto order = summary_order(value);
  if (!order) return refuse("invalid sortby: '" + std::string(value) + "'", Hint::TryHelp);
  p.options.summary_style.order = *order;
  p.sorted = true;
  return {};
}

Taken take_summary_columns(StraceParsing& p, std::string_view value) {
  std::vector<SummaryColumn> columns;
  std::string_view rest = value;
  for (bool more = true; more;) {
    std::string_view word = rest.substr(0, rest.find(','));
    auto column = summary_column(word);
    if (!column) return refuse("unknown column name: '" + std::string(word) + "'", Hint::TryHelp);
    if (std::find(columns.begin(), columns.end(), *column) != columns.end())
      return refuse("call summary column has been provided more than once: '" + std::string(word) +
                        "' (-U option residual: '" + std::string(rest) + "')",
                    Hint::TryHelp);
    columns.push_back(*column);
    more = word.size() < rest.size();
    rest.remove_prefix(word.size() + more);
  }
  if (std::find(columns.begin(), columns.end(), SummaryColumn::Name) == columns.end())
    columns.push_back(SummaryColumn::Name);
  p.options.summary_style.columns = std::move(columns);
  p.columns_chosen = true;
  return {};
}

Taken take_summary(StraceParsing& p, SummaryMode mode) {
  SummaryMode& now = p.options.summary;
  if (now != SummaryMode::No && now != mode)
    return refuse("-c/--summary-only and -C/--summary are mutually exclusive", Hint::TryHelp);
  now = mode;
  return {};
}

}  // namespace strut
