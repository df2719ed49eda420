#include "formatters/strace/summary_words.hpp"

#include <algorithm>

namespace strut {

namespace {

/// In the order of SummaryColumn.
constexpr ColumnWords kColumns[] = {
    {"% time", 6},   {"seconds", 11}, {"shortest", 8},  {"longest", 8}, {"usecs/call", 11}, {"wall-total", 11},
    {"wall-min", 8}, {"wall-max", 8}, {"wall-avg", 11}, {"calls", 9},   {"errors", 9},      {"syscall", 16},
};

template <typename Meaning>
struct Word {
  std::string_view name;
  Meaning means;
};

/// strace(1), -U.
using enum SummaryColumn;
// clang-format off: a table
constexpr Word<SummaryColumn> kColumnNames[] = {
    {"time-percent", TimePercent}, {"time", TimePercent},   {"total-time", TotalTime}, {"time-total", TotalTime},
    {"min-time", MinTime},         {"shortest", MinTime},   {"time-min", MinTime},     {"max-time", MaxTime},
    {"longest", MaxTime},          {"time-max", MaxTime},   {"avg-time", AvgTime},     {"time-avg", AvgTime},
    {"wall-total", WallTotal},     {"total-wall", WallTotal}, {"wall-min", WallMin},   {"min-wall", WallMin},
    {"wall-max", WallMax},         {"max-wall", WallMax},   {"wall-avg", WallAvg},     {"avg-wall", WallAvg},
    {"calls", Calls},              {"count", Calls},        {"errors", Errors},        {"error", Errors},
    {"name", Name},                {"syscall", Name},       {"syscall-name", Name},
};
// clang-format on

/// The words of a name are joined by '-' or by '_'.
bool same_letter(char in_table, char given) { return in_table == given || (in_table == '-' && given == '_'); }

/// strace(1), -S. Both ways to name a share of time sort by the time itself.
SummaryOrder order_of(SummaryColumn column) {
  switch (column) {
    case TimePercent:
    case TotalTime: return SummaryOrder::Time;
    case MinTime: return SummaryOrder::MinTime;
    case MaxTime: return SummaryOrder::MaxTime;
    case AvgTime: return SummaryOrder::AvgTime;
    case WallTotal: return SummaryOrder::WallTotal;
    case WallMin: return SummaryOrder::WallMin;
    case WallMax: return SummaryOrder::WallMax;
    case WallAvg: return SummaryOrder::WallAvg;
    case Calls: return SummaryOrder::Calls;
    case Errors: return SummaryOrder::Errors;
    case Name: return SummaryOrder::Name;
  }
  return SummaryOrder::Nothing;
}

}  // namespace

const ColumnWords& words_of(SummaryColumn column) { return kColumns[static_cast<size_t>(column)]; }

std::optional<SummaryColumn> summary_column(std::string_view name) {
  for (const auto& word : kColumnNames)
    if (std::ranges::equal(word.name, name, same_letter)) return word.means;
  return std::nullopt;
}

std::optional<SummaryOrder> summary_order(std::string_view name) {
  if (name == "nothing" || name == "none") return SummaryOrder::Nothing;
  if (auto column = summary_column(name)) return order_of(*column);
  return std::nullopt;
}

}  // namespace strut
