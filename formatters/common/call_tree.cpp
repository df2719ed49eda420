#include "formatters/common/call_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "formatters/common/value_text.hpp"
#include "formatters/ltrace/leader.hpp"
#include "formatters/ltrace/value.hpp"
#include "formatters/strace/call_text.hpp"
#include "syscalls/function.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {

namespace {

constexpr uint32_t kUsualIndent = 2;
/// "12345678.901 us " or as many blanks.
constexpr size_t kTimeWidth = 16;

class CallTree final : public Sink {
 public:
  CallTree(LtraceStyle style, std::shared_ptr<Output> log) : style_(style), leader_(style_), log_(std::move(log)) {}

  Result<void> take(const Event& event) override {
    if (const auto* entry = std::get_if<FunctionEntryEvent>(&event.what)) return begin_call(event, *entry);
    if (const auto* end = std::get_if<FunctionReturnEvent>(&event.what)) return finish_call(event, *end);
    if (const auto* exit = std::get_if<ExitEvent>(&event.what)) return system_call(event, *exit);
    if (const auto* signal = std::get_if<SignalEvent>(&event.what)) return report_signal(event, *signal);
    if (const auto* exited = std::get_if<ExitedEvent>(&event.what))
      return last(event, "+++ exited (status " + std::to_string(exited->status) + ") +++");
    if (const auto* killed = std::get_if<KilledEvent>(&event.what)) {
      TextBuffer name;
      put_signal_name(name, killed->signal);
      return last(event, "+++ killed by " + std::string(name.view()) + " +++");
    }
    if (std::holds_alternative<ExecutedEvent>(event.what)) return last(event, "--- Called exec() ---");
    if (const auto* lost = std::get_if<LostEvent>(&event.what))
      return remark(event, "strut: " + std::to_string(lost->count) + " events lost here");
    return {};
  }
  Result<void> flush() override { return log_->flush(); }
  void gather() override { log_->gather(); }
  Result<void> finish() override {
    for (auto& [tid, thread] : threads_) TRY_VOID(open(Tid{tid}, thread));
    return log_->flush();
  }

 private:
  /// A call with a brace that is open. `call` may be gone: the assembler forgets those of a thread that ends.
  struct Opened {
    const FunctionCall* call;
    uint32_t depth;
    std::string name;
  };
  /// A call that began and that may still make others.
  struct Thread {
    const FunctionCall* pending = nullptr;
    std::string leader, text;
    uint32_t depth = 0;  ///< for the pending call
    std::string name;    ///< for the pending call
    std::vector<Opened> opened;
  };

  Result<void> begin_call(const Event& event, const FunctionEntryEvent& entry);
  Result<void> finish_call(const Event& event, const FunctionReturnEvent& end);
  Result<void> system_call(const Event& event, const ExitEvent& exit);
  Result<void> report_signal(const Event& event, const SignalEvent& signal);
  Result<void> remark(const Event& event, std::string_view text);
  Result<void> last(const Event& event, std::string_view text);
  /// Writes the pending line, with a brace.
  Result<void> open(Tid tid, Thread& thread);
  Result<void> write_line(Tid tid, std::string_view time, std::string_view leader, uint32_t depth,
                          std::string_view text);

  std::string leader(const Event& event) {
    TextBuffer out;
    leader_.put(out, event);
    return std::string(out.view());
  }
  std::string arguments(const FunctionCall& call, const DecodedCall& decoded, size_t from, size_t to) const;
  std::string result(const FunctionCall& call, const DecodedCall& decoded) const;
  static std::string time_of(const Call& call);

  const LtraceStyle style_;
  LtraceLeader leader_;
  std::shared_ptr<Output> log_;
  std::unordered_map<int32_t, Thread> threads_;
};

std::string CallTree::time_of(const Call& call) {
  uint64_t ns = call.left.monotonic_ns - std::min(call.entered.monotonic_ns, call.left.monotonic_ns);
  char text[40];
  std::snprintf(text, sizeof text, "%8llu.%03llu us ", static_cast<unsigned long long>(ns / 1000),
                static_cast<unsigned long long>(ns % 1000));
  return text;
}

std::string CallTree::arguments(const FunctionCall& call, const DecodedCall& decoded, size_t from, size_t to) const {
  TextBuffer out;
  for (size_t i = from; i < to; i++) {
    if (i != 0) out.put(", ");
    put_ltrace_value(out, decoded.args[i].value, style_.max_string_bytes);
  }
  if (call.active_before) out.put("...");
  return std::string(out.view());
}

std::string CallTree::result(const FunctionCall& call, const DecodedCall& decoded) const {
  if (call.abandoned) return " = ?";
  if (decoded.result.absent()) return "";
  TextBuffer out;
  out.put(" = ");
  put_ltrace_value(out, decoded.result, style_.max_string_bytes);
  const char* error = call.call.error > 0 ? kErrnoNames.name_of(static_cast<uint64_t>(call.call.error)) : nullptr;
  if (style_.errors && error) {
    out.put(' ');
    out.put(error);
  }
  return std::string(out.view());
}

Result<void> CallTree::write_line(Tid tid, std::string_view time, std::string_view leader, uint32_t depth,
                                  std::string_view text) {
  std::string line(leader);
  line += time.empty() ? std::string(kTimeWidth, ' ') : std::string(time);
  line.append(size_t{depth} * (style_.indent ? style_.indent : kUsualIndent), ' ');
  line += text;
  line += '\n';
  return log_->write(tid, line);
}

Result<void> CallTree::open(Tid tid, Thread& thread) {
  if (!thread.pending) return {};
  thread.opened.push_back({thread.pending, thread.depth, thread.name});
  thread.pending = nullptr;
  return write_line(tid, "", thread.leader, thread.depth, thread.text + ") {");
}

Result<void> CallTree::begin_call(const Event& event, const FunctionEntryEvent& entry) {
  Thread& thread = threads_[raw(event.thread.tid)];
  TRY_VOID(open(event.thread.tid, thread));
  TextBuffer name;
  put_function_name(name, *entry.call);
  thread.pending = entry.call;
  thread.leader = leader(event);
  thread.depth = entry.call->depth;
  thread.name = name.view();
  thread.text = std::string(name.view()) + '(' + arguments(*entry.call, *entry.decoded, 0, entry.decoded->ready);
  return {};
}

Result<void> CallTree::finish_call(const Event& event, const FunctionReturnEvent& end) {
  const FunctionCall& call = *end.call;
  Thread& thread = threads_[raw(event.thread.tid)];
  std::string time = time_of(call.call), value = result(call, *end.decoded);
  if (thread.pending == &call) {
    thread.pending = nullptr;
    std::string more =
        call.abandoned ? std::string() : arguments(call, *end.decoded, end.decoded->ready, end.decoded->count);
    return write_line(event.thread.tid, time, thread.leader, call.depth, thread.text + more + ')' + value);
  }
  TRY_VOID(open(event.thread.tid, thread));
  TextBuffer name;
  put_function_name(name, call);
  auto opened = std::ranges::find(thread.opened, &call, &Opened::call);
  if (opened == thread.opened.end()) {
    std::string all = arguments(call, *end.decoded, 0, call.abandoned ? 0 : end.decoded->count);
    if (call.active_before) time.clear();
    return write_line(event.thread.tid, time, leader(event), call.depth,
                      "<... " + std::string(name.view()) + '(' + all + ')' + value);
  }
  thread.opened.erase(opened, thread.opened.end());
  std::string outs;
  if (!call.abandoned && end.decoded->ready < end.decoded->count)
    outs = arguments(call, *end.decoded, end.decoded->ready, end.decoded->count);
  if (outs.starts_with(", ")) outs.erase(0, 2);
  std::string text = "} " + std::string(name.view()) + (outs.empty() ? "" : "(" + outs + ")") + value;
  return write_line(event.thread.tid, time, leader(event), call.depth, text);
}

Result<void> CallTree::system_call(const Event& event, const ExitEvent& exit) {
  if (!exit.call->returned) return {};
  Thread& thread = threads_[raw(event.thread.tid)];
  TRY_VOID(open(event.thread.tid, thread));
  StraceStyle style;
  style.result_column = 0;
  TextBuffer out;
  out.put("SYS_");
  put_call_open(out, *exit.call);
  ArgsShown shown = put_call_args(out, style, *exit.call, *exit.decoded);
  put_call_rest(out, style, *exit.call, *exit.decoded, shown);
  put_call_result(out, style, *exit.call, *exit.decoded);
  auto depth = static_cast<uint32_t>(thread.opened.size());
  return write_line(event.thread.tid, time_of(*exit.call), leader(event), depth, out.view());
}

Result<void> CallTree::report_signal(const Event& event, const SignalEvent& signal) {
  if (!style_.signals) return {};
  TextBuffer out;
  out.put("--- ");
  put_signal_name(out, signal.number);
  out.put(" ---");
  return remark(event, out.view());
}

Result<void> CallTree::remark(const Event& event, std::string_view text) {
  Thread& thread = threads_[raw(event.thread.tid)];
  TRY_VOID(open(event.thread.tid, thread));
  return write_line(event.thread.tid, "", leader(event), static_cast<uint32_t>(thread.opened.size()), text);
}

// Calls that the thread was in do not return.
Result<void> CallTree::last(const Event& event, std::string_view text) {
  Tid tid = event.thread.tid;
  Thread& thread = threads_[raw(tid)];
  if (thread.pending) TRY_VOID(write_line(tid, "", thread.leader, thread.depth, thread.text + ") = ?"));
  while (!thread.opened.empty()) {
    const Opened& one = thread.opened.back();
    TRY_VOID(write_line(tid, "", leader(event), one.depth, "} " + one.name + " = ?"));
    thread.opened.pop_back();
  }
  threads_.erase(raw(tid));
  return write_line(event.thread.tid, "", leader(event), 0, text);
}

}  // namespace

std::unique_ptr<Sink> make_call_tree(LtraceStyle style, std::shared_ptr<Output> log) {
  return std::make_unique<CallTree>(style, std::move(log));
}

}  // namespace strut
