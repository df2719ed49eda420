#include "formatters/ltrace/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "formatters/ltrace/text.hpp"
#include "formatters/strace/call_text.hpp"
#include "syscalls/function.hpp"
#include "trace/partial_sink.hpp"

namespace strut {

namespace {

constexpr double kSecond_ns = 1e9;

using Row = LtraceCounts;

class LtraceSummary final : public PartialSink {
 public:
  LtraceSummary(LtraceSummaryStyle style, std::shared_ptr<Output> output, LtraceCountsText* text)
      : style_(style), output_(std::move(output)), text_(text) {}

  /// Calls are counted here, since some never return (exit, longjmp), and fork returns twice.
  Result<void> handle(const Event&, const FunctionEntryEvent& entry) override {
    row_of(*entry.call).calls++;
    return {};
  }
  Result<void> handle(const Event&, const FunctionReturnEvent& end) override {
    if (!end.call->active_before) add_end(row_of(*end.call), end.call->call);
    return {};
  }
  Result<void> handle(const Event&, const ExitEvent& exit) override {
    if (!exit.call->returned) return {};
    Row& row = row_of(*exit.call);
    row.calls++;
    add_end(row, *exit.call);
    return {};
  }
  Result<void> flush() override { return output_->flush(); }
  Result<void> finish() override;

 private:
  // ltrace has no modules here, whatever was asked for.
  Row& row_of(const FunctionCall& call) {
    name_.clear();
    name_.put(call.symbol);
    return rows_[std::string(name_.view())];
  }
  Row& row_of(const Call& call) {
    name_.clear();
    name_.put("SYS_");
    put_call_name(name_, call);
    Row& row = rows_[std::string(name_.view())];
    row.is_syscall = true;
    return row;
  }
  static void add_end(Row& row, const Call& call) {
    uint64_t entered = call.entered.monotonic_ns, left = call.left.monotonic_ns;
    row.ns += left > entered ? left - entered : 0;
    row.errors += call.error != 0;
  }

  const LtraceSummaryStyle style_;
  std::shared_ptr<Output> output_;
  LtraceCountsText* const text_;
  std::unordered_map<std::string, Row> rows_;
  TextBuffer name_;
};

Result<void> LtraceSummary::finish() {
  std::vector<Row> rows;
  for (auto& [name, row] : rows_) {
    rows.push_back(row);
    rows.back().name = name;
  }
  std::ranges::sort(rows, [](const Row& a, const Row& b) { return a.ns != b.ns ? a.ns > b.ns : a.name < b.name; });
  TextBuffer out;
  text_(out, style_, rows);
  TRY_VOID(output_->write(Tid{}, out.view()));
  return output_->flush();
}

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

void put_right(TextBuffer& out, std::string_view text, size_t width) {
  if (text.size() < width) out.spaces(width - text.size());
  out.put(text);
  out.put(' ');
}

class Table {
 public:
  Table(TextBuffer& out, LtraceSummaryStyle style) : out_(out), style_(style) {}
  void put(std::span<const Row> rows);

 private:
  void heading();
  void rule();
  void put(const char* share, const std::string& seconds, const std::string& each, const Row& row);

  TextBuffer& out_;
  const LtraceSummaryStyle style_;
};

void Table::put(const char* share, const std::string& seconds, const std::string& each, const Row& row) {
  put_right(out_, share, 6);
  put_right(out_, seconds, 11);
  put_right(out_, each, 11);
  put_right(out_, std::to_string(row.calls), 9);
  if (style_.errors) put_right(out_, row.errors != 0 ? std::to_string(row.errors) : "", 9);
  out_.put(row.name);
  out_.put('\n');
}

void Table::heading() {
  out_.put("% time     seconds  usecs/call     calls");
  if (style_.errors) out_.put("    errors");
  out_.put("      function\n");
}

void Table::rule() {
  out_.put("------ ----------- ----------- ---------");
  if (style_.errors) out_.put(" ---------");
  out_.put(" --------------------\n");
}

void Table::put(std::span<const Row> rows) {
  Row total{.name = "total"};
  for (const Row& row : rows) {
    total.ns += row.ns;
    total.calls += row.calls;
    total.errors += row.errors;
  }
  heading();
  rule();
  for (const Row& row : rows) {
    double share = total.ns == 0 ? 0 : 100 * static_cast<double>(row.ns) / static_cast<double>(total.ns);
    put(formatted("%.2f", share).c_str(), formatted("%.6f", static_cast<double>(row.ns) / kSecond_ns),
        std::to_string((row.ns + 500) / 1000 / row.calls), row);
  }
  rule();
  put("100.00", formatted("%.6f", static_cast<double>(total.ns) / kSecond_ns), "", total);
}

}  // namespace

void put_ltrace_counts_table(TextBuffer& out, LtraceSummaryStyle style, std::span<const LtraceCounts> rows) {
  Table(out, style).put(rows);
}

std::unique_ptr<Sink> make_ltrace_summary(LtraceSummaryStyle style, std::shared_ptr<Output> output,
                                          LtraceCountsText* text) {
  return std::make_unique<LtraceSummary>(style, std::move(output), text);
}

}  // namespace strut
