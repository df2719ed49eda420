#include "formatters/strace/call_counts.hpp"

namespace strut {
namespace {

/// True if a row stands in front of another.
bool before(SummaryOrder order, const CallCounts& a, const CallCounts& b) {
  switch (order) {
    case SummaryOrder::Time: return a.time.total > b.time.total;
    case SummaryOrder::MinTime: return a.time.min > b.time.min;
    case SummaryOrder::MaxTime: return a.time.max > b.time.max;
    case SummaryOrder::AvgTime: return a.average(a.time) > b.average(b.time);
    case SummaryOrder::WallTotal: return a.wall.total > b.wall.total;
    case SummaryOrder::WallMin: return a.wall.min > b.wall.min;
    case SummaryOrder::WallMax: return a.wall.max > b.wall.max;
    case SummaryOrder::WallAvg: return a.average(a.wall) > b.average(b.wall);
    case SummaryOrder::Calls: return a.calls > b.calls;
    case SummaryOrder::Errors: return a.errors > b.errors;
    case SummaryOrder::Name: return a.name < b.name;
    case SummaryOrder::Nothing: return false;
  }
  return false;
}

}  // namespace

void sort_rows(std::vector<const CallCounts*>& rows, SummaryOrder order) {
  std::ranges::stable_sort(rows, [&](const CallCounts* a, const CallCounts* b) { return before(order, *a, *b); });
}

}  // namespace strut
