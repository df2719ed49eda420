#include "formatters/truss/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.hpp"
#include "base/library_name.hpp"
#include "formatters/common/quote.hpp"
#include "formatters/common/text_buffer.hpp"
#include "syscalls/function.hpp"
#include "syscalls/machine_faults.hpp"
#include "syscalls/signal_names.hpp"
#include "trace/partial_sink.hpp"

namespace strut {

namespace {

/// Where columns end: of the table of system calls.
constexpr size_t kSeconds = 29, kCalls = 37, kErrors = 44;
constexpr size_t kCountColumn = 16;

using Row = TrussCounts::Syscall;
using Function = TrussCounts::Function;

void pad_to(TextBuffer& out, size_t start, size_t column) {
  size_t now = out.size() - start;
  if (now < column) out.spaces(column - now);
}

/// Ends in this column; behind a blank where there is no room.
void put_right(TextBuffer& out, size_t start, std::string_view text, size_t column) {
  size_t now = out.size() - start;
  out.spaces(now + text.size() < column ? column - text.size() - now : 1);
  out.put(text);
}

/// `1.234`, `.050`.
std::string seconds_text(uint64_t ns) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ns) / 1e9);
  return text[0] == '0' ? text + 1 : text;
}

class TrussSummary final : public PartialSink {
 public:
  TrussSummary(TrussStyle style, std::function<std::optional<uint64_t>()> user_ns, std::shared_ptr<Output> output,
               TrussCountsText* text)
      : style_(std::move(style)),
        user_ns_(std::move(user_ns)),
        output_(std::move(output)),
        text_(text),
        began_ns_(monotonic_ns()) {}

  Result<void> take(const Event& event) override {
    if (!style_.reports_of(event.thread.pid, event.thread.tid)) return {};
    return PartialSink::take(event);
  }
  Result<void> handle(const Event&, const ExitEvent& exit) override { return count(*exit.call), Result<void>{}; }
  Result<void> handle(const Event&, const EnterEvent& enter) override {
    return count_last(*enter.call), Result<void>{};
  }
  Result<void> handle(const Event&, const SignalEvent& signal) override { return count(signal), Result<void>{}; }
  Result<void> handle(const Event&, const FunctionEntryEvent& entry) override {
    return count(*entry.call), Result<void>{};
  }
  Result<void> flush() override {
    sample();
    return {};
  }
  Result<void> finish() override;

 private:
  void count(const Call& call);
  /// A call that never returns is counted when it is entered.
  void count_last(const Call& call) {
    if (call.desc->classes & kNeverReturns) row_of(call).calls++;
  }
  void count(const SignalEvent& signal);
  void count(const FunctionCall& call);
  Row& row_of(const Call& call);
  void sample() {
    if (auto now = user_ns_()) counts_.user_ns = now;
  }

  const TrussStyle style_;
  const std::function<std::optional<uint64_t>()> user_ns_;
  std::shared_ptr<Output> output_;
  TrussCountsText* const text_;
  const uint64_t began_ns_;
  TrussCounts counts_;
  std::unordered_map<std::string, Function> functions_;
};

Row& TrussSummary::row_of(const Call& call) {
  Row& row = counts_.syscalls[{call.abi, call.nr}];
  if (row.name.empty()) row.name = name_of(call);
  return row;
}

void TrussSummary::count(const Call& call) {
  if (!call.returned) return;
  Row& row = row_of(call);
  row.calls++;
  row.errors += call.error != 0;
  row.system_ns += call.system_time_ns;
}

void TrussSummary::count(const SignalEvent& signal) {
  std::optional<int> fault = fault_of(signal.info);
  if (fault && style_.faults.test(static_cast<size_t>(*fault))) counts_.faults[fault_name(*fault)]++;
  auto number = static_cast<size_t>(signal.number);
  const char* name = signal_name(signal.number);
  if (name && number < style_.signals.size() && style_.signals[number]) counts_.signals[name]++;
}

void TrussSummary::count(const FunctionCall& call) {
  std::string_view module = call.label == FunctionLabel::Module ? library_name(call.module) : "a.out";
  Function& function = functions_[std::string(module) + ':' + std::string(call.symbol)];
  if (function.calls++ != 0) return;
  function.module = module;
  function.name = call.symbol;
}

class Table {
 public:
  explicit Table(TextBuffer& out) : out_(out) {}
  void put(const TrussCounts& counts);

 private:
  void put_counts(std::string_view title, const std::map<std::string, uint64_t>& counts);
  void put_functions(const std::vector<Function>& functions);
  void put_calls(const TrussCounts& counts);
  void put_row(std::string_view name, const Row& row);
  void put_time(std::string_view name, uint64_t ns);

  TextBuffer& out_;
};

void Table::put_counts(std::string_view title, const std::map<std::string, uint64_t>& counts) {
  if (counts.empty()) return;
  uint64_t total = 0;
  auto put = [&](std::string_view name, uint64_t count) {
    size_t start = out_.size();
    out_.put(name);
    pad_to(out_, start, kCountColumn);
    out_.decimal_padded(count, 4, ' ');
    out_.put('\n');
  };
  out_.put(title);
  out_.put('\n');
  for (const auto& [name, count] : counts) {
    put(name, count);
    total += count;
  }
  put("total:", total);
  out_.put('\n');
}

void Table::put_functions(const std::vector<Function>& functions) {
  if (functions.empty()) return;
  auto put = [&](std::string_view module, std::string_view name, std::string_view calls) {
    size_t start = out_.size();
    escape_bytes(out_, module, HexStrings::No);
    pad_to(out_, start, 20);
    out_.put(' ');
    escape_bytes(out_, name, HexStrings::No);
    pad_to(out_, start, 61);
    out_.put(' ');
    out_.put(calls);
    out_.put('\n');
  };
  put("Library:", "Function", "calls");
  for (const Function& function : functions) put(function.module, function.name, std::to_string(function.calls));
  out_.put('\n');
}

void Table::put_row(std::string_view name, const Row& row) {
  size_t start = out_.size();
  out_.put(name);
  put_right(out_, start, seconds_text(row.system_ns), kSeconds);
  put_right(out_, start, std::to_string(row.calls), kCalls);
  if (row.errors != 0) put_right(out_, start, std::to_string(row.errors), kErrors);
  out_.put('\n');
}

void Table::put_time(std::string_view name, uint64_t ns) {
  size_t start = out_.size();
  out_.put(name);
  put_right(out_, start, seconds_text(ns), kSeconds);
  out_.put('\n');
}

void Table::put_calls(const TrussCounts& counts) {
  Row total;
  out_.put("syscall               seconds   calls  errors\n");
  for (const auto& [number, row] : counts.syscalls) {
    put_row(row.name, row);
    total.calls += row.calls;
    total.errors += row.errors;
    total.system_ns += row.system_ns;
  }
  out_.put("                     --------  ------   ----\n");
  put_row("sys totals:", total);
}

void Table::put(const TrussCounts& counts) {
  put_counts("faults -------------", counts.faults);
  put_counts("signals ------------", counts.signals);
  put_functions(counts.functions);
  put_calls(counts);
  if (counts.user_ns) put_time("usr time:", *counts.user_ns);
  put_time("elapsed:", counts.elapsed_ns);
}

Result<void> TrussSummary::finish() {
  sample();
  for (auto& [key, function] : functions_) counts_.functions.push_back(std::move(function));
  std::ranges::sort(counts_.functions, [](const Function& a, const Function& b) {
    if (a.module != b.module) return a.module < b.module;
    return a.calls != b.calls ? a.calls > b.calls : a.name < b.name;
  });
  counts_.elapsed_ns = monotonic_ns() - began_ns_;
  TextBuffer out;
  text_(out, counts_);
  TRY_VOID(output_->write(Tid{}, out.view()));
  return output_->flush();
}

}  // namespace

void put_truss_counts_table(TextBuffer& out, const TrussCounts& counts) { Table(out).put(counts); }

std::unique_ptr<Sink> make_truss_summary(TrussStyle style, std::function<std::optional<uint64_t>()> user_ns,
                                         std::shared_ptr<Output> output, TrussCountsText* text) {
  return std::make_unique<TrussSummary>(std::move(style), std::move(user_ns), std::move(output), text);
}

}  // namespace strut
