#include "formatters/strace/summary.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "formatters/common/text_buffer.hpp"
#include "formatters/strace/call_counts.hpp"
#include "formatters/strace/summary_words.hpp"
#include "syscalls/call.hpp"
#include "trace/partial_sink.hpp"

namespace strut {

namespace {

uint64_t less_overhead(uint64_t taken, uint64_t overhead) { return taken > overhead ? taken - overhead : 0; }

/// One table: the calls of one ABI.
class Table {
 public:
  Table(const SummaryStyle& style, std::span<const CallCounts* const> rows) : style_(style), rows_(rows) {
    size_t longest = 0;
    for (const CallCounts* row : rows_) {
      total_.add(*row);
      longest = std::max(longest, row->name.size());
    }
    name_width_ = std::max<size_t>(16, longest + 1);
    total_.name = "total";
  }

  void put(TextBuffer& out) const {
    columns(out, [&](SummaryColumn column, bool last) { heading(out, column, last); });
    dashes(out);
    for (const CallCounts* row : rows_)
      columns(out, [&](SummaryColumn column, bool last) { cell(out, column, *row, last); });
    dashes(out);
    columns(out, [&](SummaryColumn column, bool last) { cell(out, column, total_, last); });
  }

 private:
  template <typename Cell>
  void columns(TextBuffer& out, Cell cell) const {
    for (size_t i = 0; i < style_.columns.size(); i++) {
      if (i != 0) out.put(' ');
      cell(style_.columns[i], i + 1 == style_.columns.size());
    }
    out.put('\n');
  }
  void dashes(TextBuffer& out) const {
    columns(out, [&](SummaryColumn column, bool) { out.put(std::string(width(column), '-')); });
  }
  size_t width(SummaryColumn column) const {
    return column == SummaryColumn::Name ? name_width_ : words_of(column).width;
  }
  void heading(TextBuffer& out, SummaryColumn column, bool last) const {
    std::string_view text = words_of(column).heading;
    if (column == SummaryColumn::Name) left(out, text, last);
    else right(out, text, column);
  }
  void left(TextBuffer& out, std::string_view text, bool last) const {
    out.put(text);
    if (!last && text.size() < name_width_) out.spaces(name_width_ - text.size());
  }
  void right(TextBuffer& out, std::string_view text, SummaryColumn column) const {
    if (text.size() < width(column)) out.spaces(width(column) - text.size());
    out.put(text);
  }
  void seconds(TextBuffer& out, uint64_t ns, SummaryColumn column) const {
    char text[40];
    std::snprintf(text, sizeof text, "%.6f", static_cast<double>(ns) / 1e9);
    right(out, text, column);
  }
  void percent(TextBuffer& out, const CallCounts& row) const {
    char text[40];
    double all = static_cast<double>(total_.time.total);
    double share = &row == &total_ ? 100 : total_.time.total == 0 ? 0 : 100 * static_cast<double>(row.time.total) / all;
    std::snprintf(text, sizeof text, "%.2f", share);
    right(out, text, SummaryColumn::TimePercent);
  }
  void cell(TextBuffer& out, SummaryColumn column, const CallCounts& row, bool last) const {
    switch (column) {
      case SummaryColumn::TimePercent: return percent(out, row);
      case SummaryColumn::TotalTime: return seconds(out, row.time.total, column);
      case SummaryColumn::MinTime: return seconds(out, row.time.min, column);
      case SummaryColumn::MaxTime: return seconds(out, row.time.max, column);
      case SummaryColumn::WallTotal: return seconds(out, row.wall.total, column);
      case SummaryColumn::WallMin: return seconds(out, row.wall.min, column);
      case SummaryColumn::WallMax: return seconds(out, row.wall.max, column);
      case SummaryColumn::AvgTime: return right(out, std::to_string(row.average(row.time) / 1000), column);
      case SummaryColumn::WallAvg: return right(out, std::to_string(row.average(row.wall) / 1000), column);
      case SummaryColumn::Calls: return right(out, std::to_string(row.calls), column);
      case SummaryColumn::Errors: return right(out, row.errors == 0 ? "" : std::to_string(row.errors), column);
      case SummaryColumn::Name: return left(out, row.name, last);
    }
  }

  const SummaryStyle& style_;
  std::span<const CallCounts* const> rows_;
  CallCounts total_;
  size_t name_width_ = 0;
};

class Summary final : public PartialSink {
 public:
  Summary(SummaryStyle style, std::shared_ptr<Output> output, SummaryText* text)
      : style_(std::move(style)), output_(std::move(output)), text_(text) {}

  Result<void> handle(const Event&, const ExitEvent& exit) override {
    if (exit.call->returned) count(*exit.call);
    return {};
  }

  Result<void> finish() override {
    TextBuffer out;
    for (size_t abi = 0; abi < kAbiCount; abi++) {
      std::vector<const CallCounts*> rows = rows_of(abi);
      sort_rows(rows, style_.order);
      if (!rows.empty()) text_(out, style_, Abi(abi), rows);
    }
    if (!out.empty()) TRY_VOID(output_->write(Tid{}, out.view()));
    return output_->flush();
  }

 private:
  CallCounts& counts_of(const Call& call) {
    auto abi = static_cast<size_t>(call.abi);
    if (call.nr >= kSyscallLimit) return others_[abi][call.nr];
    if (counts_[abi].empty()) counts_[abi].resize(kSyscallLimit);
    return counts_[abi][call.nr];
  }
  void count(const Call& call) {
    CallCounts& counts = counts_of(call);
    if (counts.calls++ == 0) counts.name = name_of(call);
    if (call.error != 0) counts.errors++;
    uint64_t left = call.left.monotonic_ns, entered = call.entered.monotonic_ns;
    uint64_t wall = less_overhead(left > entered ? left - entered : 0, style_.overhead_ns);
    counts.wall.add(wall);
    counts.time.add(style_.wall_clock ? wall : less_overhead(call.system_time_ns, style_.overhead_ns));
  }
  std::vector<const CallCounts*> rows_of(size_t abi) const {
    std::vector<const CallCounts*> rows;
    for (const CallCounts& counts : counts_[abi])
      if (counts.calls != 0) rows.push_back(&counts);
    for (const auto& [nr, counts] : others_[abi]) rows.push_back(&counts);
    return rows;
  }

  SummaryStyle style_;
  std::shared_ptr<Output> output_;
  SummaryText* text_;
  std::array<std::vector<CallCounts>, kAbiCount> counts_;         ///< by number
  std::array<std::map<uint32_t, CallCounts>, kAbiCount> others_;  ///< numbers beyond every table
};

}  // namespace

void put_summary_table(TextBuffer& out, const SummaryStyle& style, Abi abi, std::span<const CallCounts* const> rows) {
  constexpr std::array<std::string_view, kAbiCount> kTitles = {"", "System call usage summary for 32 bit mode:\n",
                                                               "System call usage summary for x32 mode:\n"};
  out.put(kTitles[static_cast<size_t>(abi)]);
  Table(style, rows).put(out);
}

std::unique_ptr<Sink> make_summary(SummaryStyle style, std::shared_ptr<Output> output, SummaryText* text) {
  auto& columns = style.columns;
  if (std::find(columns.begin(), columns.end(), SummaryColumn::Name) == columns.end())
    columns.push_back(SummaryColumn::Name);
  return std::make_unique<Summary>(std::move(style), std::move(output), text);
}

}  // namespace strut
