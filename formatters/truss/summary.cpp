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

struct Row {
  std::string name;
  uint64_t calls = 0, errors = 0, system_ns = 0;
};

struct Function {
  std::string module, name;
  uint64_t calls = 0;
};

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
  TrussSummary(TrussStyle style, std::function<std::optional<uint64_t>()> user_ns, std::shared_ptr<Output> output)
      : style_(std::move(style)), user_ns_(std::move(user_ns)), output_(std::move(output)), began_ns_(monotonic_ns()) {}

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
    if (auto now = user_ns_()) user_time_ns_ = now;
  }

  void put_counts(std::string_view title, const std::map<std::string, uint64_t>& counts);
  void put_functions();
  void put_calls();
  void put_row(std::string_view name, const Row& row);
  void put_time(std::string_view name, uint64_t ns);

  const TrussStyle style_;
  const std::function<std::optional<uint64_t>()> user_ns_;
  std::shared_ptr<Output> output_;
  const uint64_t began_ns_;
  std::optional<uint64_t> user_time_ns_;
  std::map<std::pair<Abi, uint32_t>, Row> rows_;
  std::map<std::string, uint64_t> signals_, faults_;
  std::unordered_map<std::string, Function> functions_;
  TextBuffer text_;
};

Row& TrussSummary::row_of(const Call& call) {
  Row& row = rows_[{call.abi, call.nr}];
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
  if (fault && style_.faults.test(static_cast<size_t>(*fault))) faults_[fault_name(*fault)]++;
  auto number = static_cast<size_t>(signal.number);
  const char* name = signal_name(signal.number);
  if (name && number < style_.signals.size() && style_.signals[number]) signals_[name]++;
}

void TrussSummary::count(const FunctionCall& call) {
  std::string_view module = call.label == FunctionLabel::Module ? library_name(call.module) : "a.out";
  Function& function = functions_[std::string(module) + ':' + std::string(call.symbol)];
  if (function.calls++ != 0) return;
  function.module = module;
  function.name = call.symbol;
}

void TrussSummary::put_counts(std::string_view title, const std::map<std::string, uint64_t>& counts) {
  if (counts.empty()) return;
  uint64_t total = 0;
  auto put = [&](std::string_view name, uint64_t count) {
    size_t start = text_.size();
    text_.put(name);
    pad_to(text_, start, kCountColumn);
    text_.decimal_padded(count, 4, ' ');
    text_.put('\n');
  };
  text_.put(title);
  text_.put('\n');
  for (const auto& [name, count] : counts) {
    put(name, count);
    total += count;
  }
  put("total:", total);
  text_.put('\n');
}

void TrussSummary::put_functions() {
  if (functions_.empty()) return;
  std::vector<const Function*> sorted;
  for (const auto& [key, function] : functions_) sorted.push_back(&function);
  std::ranges::sort(sorted, [](const Function* a, const Function* b) {
    if (a->module != b->module) return a->module < b->module;
    return a->calls != b->calls ? a->calls > b->calls : a->name < b->name;
  });
  auto put = [&](std::string_view module, std::string_view name, std::string_view calls) {
    size_t start = text_.size();
    escape_bytes(text_, module, HexStrings::No);
    pad_to(text_, start, 20);
    text_.put(' ');
    escape_bytes(text_, name, HexStrings::No);
    pad_to(text_, start, 61);
    text_.put(' ');
    text_.put(calls);
    text_.put('\n');
  };
  put("Library:", "Function", "calls");
  for (const Function* function : sorted) put(function->module, function->name, std::to_string(function->calls));
  text_.put('\n');
}

void TrussSummary::put_row(std::string_view name, const Row& row) {
  size_t start = text_.size();
  text_.put(name);
  put_right(text_, start, seconds_text(row.system_ns), kSeconds);
  put_right(text_, start, std::to_string(row.calls), kCalls);
  if (row.errors != 0) put_right(text_, start, std::to_string(row.errors), kErrors);
  text_.put('\n');
}

void TrussSummary::put_time(std::string_view name, uint64_t ns) {
  size_t start = text_.size();
  text_.put(name);
  put_right(text_, start, seconds_text(ns), kSeconds);
  text_.put('\n');
}

void TrussSummary::put_calls() {
  Row total;
  text_.put("syscall               seconds   calls  errors\n");
  for (const auto& [number, row] : rows_) {
    put_row(row.name, row);
    total.calls += row.calls;
    total.errors += row.errors;
    total.system_ns += row.system_ns;
  }
  text_.put("                     --------  ------   ----\n");
  put_row("sys totals:", total);
}

Result<void> TrussSummary::finish() {
  sample();
  put_counts("faults -------------", faults_);
  put_counts("signals ------------", signals_);
  put_functions();
  put_calls();
  if (user_time_ns_) put_time("usr time:", *user_time_ns_);
  put_time("elapsed:", monotonic_ns() - began_ns_);
  TRY_VOID(output_->write(Tid{}, text_.view()));
  return output_->flush();
}

}  // namespace

std::unique_ptr<Sink> make_truss_summary(TrussStyle style, std::function<std::optional<uint64_t>()> user_ns,
                                         std::shared_ptr<Output> output) {
  return std::make_unique<TrussSummary>(std::move(style), std::move(user_ns), std::move(output));
}

}  // namespace strut
