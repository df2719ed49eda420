// Counts and times of calls at the end of a trace (strace -c, -C): a Sink that only writes when it finishes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formatters/common/output.hpp"
#include "syscalls/abi.hpp"
#include "trace/sink.hpp"

namespace strut {

/// A column of the table (strace(1), -U).
enum class SummaryColumn : uint8_t {
  TimePercent,
  TotalTime,
  MinTime,
  MaxTime,
  AvgTime,
  WallTotal,
  WallMin,
  WallMax,
  WallAvg,
  Calls,
  Errors,
  Name,
};

/// The column that -U calls so ("time-percent", "time", "shortest" …); nullopt: none.
std::optional<SummaryColumn> summary_column(std::string_view name);

/// The sort key of -S.
enum class SummaryOrder : uint8_t {
  Time,
  MinTime,
  MaxTime,
  AvgTime,
  WallTotal,
  WallMin,
  WallMax,
  WallAvg,
  Calls,
  Errors,
  Name,
  Nothing,
};

/// The order that -S calls so ("time", "count", "nothing" …); nullopt: none.
std::optional<SummaryOrder> summary_order(std::string_view name);

struct SummaryStyle {
  std::vector<SummaryColumn> columns{SummaryColumn::TimePercent, SummaryColumn::TotalTime, SummaryColumn::AvgTime,
                                     SummaryColumn::Calls,       SummaryColumn::Errors,    SummaryColumn::Name};
  SummaryOrder order = SummaryOrder::Time;
  bool wall_clock = false;   ///< -w: the times of the first columns are wall-clock times
  uint64_t overhead_ns = 0;  ///< -O: taken off every call's time
};

class TextBuffer;
struct CallCounts;

/// Writes the counts of one ABI's calls; rows are sorted.
using SummaryText = void(TextBuffer& out, const SummaryStyle& style, Abi abi, std::span<const CallCounts* const> rows);
SummaryText put_summary_table;  ///< strace's table
SummaryText put_summary_json;   ///< an object a line, with all times in nanoseconds (docs/json.md)

/// Counts exits of calls; finish() writes them to `output`. Needs Call::system_time_ns unless `wall_clock`.
std::unique_ptr<Sink> make_summary(SummaryStyle style, std::shared_ptr<Output> output,
                                   SummaryText* text = put_summary_table);

}  // namespace strut
