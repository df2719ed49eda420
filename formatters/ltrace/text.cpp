#include "formatters/ltrace/text.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "formatters/common/quote.hpp"
#include "formatters/common/stack_text.hpp"
#include "formatters/common/value_text.hpp"
#include "formatters/ltrace/leader.hpp"
#include "formatters/ltrace/value.hpp"
#include "formatters/strace/call_text.hpp"
#include "syscalls/function.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {

namespace {

/// The end of an open line that another event interrupts: another call, or an event that ltrace takes for the end of
/// this one.
constexpr std::string_view kNested = " <unfinished ...>", kBroken = " <no return ...>";

/// A function or system call with a reported entry.
struct Reported {
  const void* call = nullptr;  ///< identity only
  ArgsShown shown{};           ///< the parts that the line already has
};

// Names are the target's to choose: control characters do not reach a terminal.
void put_safe(TextBuffer& out, std::string_view name) {
  for (char c : name) {
    bool control = static_cast<uint8_t>(c) < ' ' || c == 0x7f;
    if (control) escape_bytes(out, {&c, 1}, HexStrings::No);
    else out.put(c);
  }
}

/// The calling function. The function's own frame adds nothing to the line; it is the function, or the caller's PLT,
/// depending on the backend.
Stack callers_of(const Stack& stack) {
  Stack callers = stack;
  if (!callers.frames.empty() && !callers.frames.front().is_return) callers.frames = callers.frames.subspan(1);
  return callers;
}

class LtraceText final : public Sink {
 public:
  LtraceText(LtraceStyle style, std::shared_ptr<Output> log) : style_(style), leader_(style_), log_(std::move(log)) {
    syscalls_.result_column = style_.result_column == 0 ? 0 : style_.result_column - 1;
  }

  Result<void> take(const Event& event) override {
    TRY_VOID(std::visit([&](const auto& what) { return report(event, what); }, event.what));
    return log_->immediate() ? send() : Result<void>{};
  }
  Result<void> flush() override {
    TRY_VOID(send());
    return log_->flush();
  }
  void gather() override { log_->gather(); }
  Result<void> finish() override { return flush(); }

 private:
  Result<void> report(const Event& event, const FunctionEntryEvent& entry);
  Result<void> report(const Event& event, const FunctionReturnEvent& end);
  Result<void> report(const Event& event, const EnterEvent& enter);
  Result<void> report(const Event& event, const ExitEvent& exit);
  Result<void> report(const Event& event, const SignalEvent& signal);
  Result<void> report(const Event& event, const ExitedEvent& exited);
  Result<void> report(const Event& event, const KilledEvent& killed);
  Result<void> report(const Event& event, const ExecutedEvent&);
  Result<void> report(const Event&, const FunctionHitEvent&) { return {}; }
  Result<void> report(const Event& event, const DetachedEvent&);
  Result<void> report(const Event& event, const LostEvent& lost);
  Result<void> report(const Event& event, const RenamedEvent& renamed);
  // ltrace says nothing of these.
  Result<void> report(const Event&, const StopEvent&) { return {}; }
  Result<void> report(const Event&, const SupersededEvent&) { return {}; }
  Result<void> report(const Event&, const AttachedEvent&) { return {}; }
  Result<void> report(const Event&, const AbiEvent&) { return {}; }
  Result<void> report(const Event&, const SleepingEvent&) { return {}; }

  /// Begins a line with its leader; one that is open ends in `cut`.
  Result<void> begin(const Event& event, std::string_view cut);
  /// Ends the line and gives it to the log.
  Result<void> end();
  Result<void> send();
  /// A whole line about an event that ends an open line.
  Result<void> remark(const Event& event, std::string_view text);

  /// The line is left open for the rest of this call.
  void leave_open(const Event& event, const void* call, ArgsShown shown);
  /// Continues the call's line, or begins one that refers to it. Returns the parts of the call that were shown.
  Result<ArgsShown> resume(const Event& event, const void* call, uint32_t depth, std::string_view name);

  void put_arguments(const DecodedCall& decoded, size_t from, size_t to);
  void put_function_result(const FunctionCall& call, const DecodedCall& decoded);
  void put_call_time(const Call& call);

  const LtraceStyle style_;
  StraceStyle syscalls_;
  LtraceLeader leader_;
  std::shared_ptr<Output> log_;
  TextBuffer line_;
  TextBuffer name_;
  TextBuffer below_;  ///< the stack of the call with the open line: printed after the line
  StackText stacks_;
  size_t sent_ = 0;             ///< bytes of `line_` that the log has
  const void* open_ = nullptr;  ///< the call in `line_`
  Tid thread_{};                ///< in `line_`
  std::unordered_map<int32_t, std::vector<Reported>> reported_;
};

// -- lines --------------------------------------------------------------------------------------------

Result<void> LtraceText::begin(const Event& event, std::string_view cut) {
  if (open_ != nullptr) {
    line_.put(cut);
    TRY_VOID(end());
  }
  thread_ = event.thread.tid;
  leader_.put(line_, event);
  return {};
}

Result<void> LtraceText::end() {
  line_.put('\n');
  if (below_.size() != 0) {
    line_.put(below_.view());
    line_.put('\n');
    below_.clear();
  }
  TRY_VOID(send());
  line_.clear();
  sent_ = 0;
  open_ = nullptr;
  return {};
}

Result<void> LtraceText::send() {
  std::string_view unsent = line_.view().substr(sent_);
  if (unsent.empty()) return {};
  sent_ = line_.size();
  return log_->write(thread_, unsent);
}

Result<void> LtraceText::remark(const Event& event, std::string_view text) {
  TRY_VOID(begin(event, kBroken));
  line_.put(text);
  return end();
}

void LtraceText::leave_open(const Event& event, const void* call, ArgsShown shown) {
  open_ = call;
  reported_[raw(event.thread.tid)].push_back({call, shown});
}

Result<ArgsShown> LtraceText::resume(const Event& event, const void* call, uint32_t depth, std::string_view name) {
  std::vector<Reported>& reported = reported_[raw(event.thread.tid)];
  auto at =
      std::ranges::find_if(reported.rbegin(), reported.rend(), [&](const Reported& one) { return one.call == call; });
  ArgsShown shown = at == reported.rend() ? ArgsShown{} : at->shown;
  if (at != reported.rend()) reported.erase(std::prev(at.base()));  // others may last longer, on other stacks
  if (open_ == call && thread_ == event.thread.tid) return shown;
  TRY_VOID(begin(event, kNested));
  line_.spaces(size_t{depth} * style_.indent);
  line_.put("<... ");
  put_safe(line_, name);
  line_.put(" resumed> ");
  return shown;
}

// -- functions ----------------------------------------------------------------------------------------

Result<void> LtraceText::report(const Event& event, const FunctionEntryEvent& entry) {
  TRY_VOID(begin(event, kNested));
  line_.spaces(size_t{entry.call->depth} * style_.indent);
  put_function_name(line_, *entry.call);
  line_.put('(');
  put_arguments(*entry.decoded, 0, entry.decoded->ready);
  if (event.stack) stacks_.put(below_, callers_of(*event.stack), Nameless::Offset);
  leave_open(event, entry.call, {static_cast<uint8_t>(entry.decoded->ready), false});
  return {};
}

Result<void> LtraceText::report(const Event& event, const FunctionReturnEvent& end_of) {
  const FunctionCall& call = *end_of.call;
  ArgsShown shown = TRY(resume(event, &call, call.depth, call.symbol));
  if (call.active_before || (call.abandoned && shown.whole < end_of.decoded->count)) {
    line_.put(shown.whole == 0 ? "..." : ", ...");
  } else {
    put_arguments(*end_of.decoded, shown.whole, end_of.decoded->count);
  }
  line_.put(')');
  put_function_result(call, *end_of.decoded);
  put_call_time(call.call);
  return end();
}

void LtraceText::put_arguments(const DecodedCall& decoded, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    if (i != 0) line_.put(", ");
    put_ltrace_value(line_, decoded.args[i].value, style_.max_string_bytes);
  }
}

void LtraceText::put_function_result(const FunctionCall& call, const DecodedCall& decoded) {
  uint32_t column = style_.result_column == 0 ? 0 : style_.result_column - 1;
  line_.spaces(line_.column() < column ? column - line_.column() : 1);
  line_.put("= ");
  if (call.abandoned) return line_.put('?');
  if (decoded.result.absent()) return line_.put("<void>");
  put_ltrace_value(line_, decoded.result, style_.max_string_bytes);
  put_aux(line_, decoded.aux, looks_of(syscalls_, call.call));
  const char* error = call.call.error > 0 ? kErrnoNames.name_of(static_cast<uint64_t>(call.call.error)) : nullptr;
  if (!style_.errors || error == nullptr) return;
  line_.put(' ');
  line_.put(error);
}

void LtraceText::put_call_time(const Call& call) {
  if (!style_.call_time) return;
  line_.put(" <");
  put_seconds(line_, call.left.monotonic_ns - std::min(call.entered.monotonic_ns, call.left.monotonic_ns));
  line_.put('>');
}

// -- the system ---------------------------------------------------------------------------------------

Result<void> LtraceText::report(const Event& event, const EnterEvent& enter) {
  TRY_VOID(begin(event, kNested));
  line_.put("SYS_");
  put_call_open(line_, *enter.call);
  leave_open(event, enter.call, put_call_args(line_, syscalls_, *enter.call, *enter.decoded));
  return {};
}

Result<void> LtraceText::report(const Event& event, const ExitEvent& exit) {
  name_.clear();
  name_.put("SYS_");
  put_call_name(name_, *exit.call);
  // A call that never returned: its thread's end follows.
  if (!exit.call->returned) return {};
  ArgsShown shown = TRY(resume(event, exit.call, 0, name_.view()));
  put_call_rest(line_, syscalls_, *exit.call, *exit.decoded, shown);
  put_call_result(line_, syscalls_, *exit.call, *exit.decoded);
  put_call_time(*exit.call);
  return end();
}

// -- everything else ----------------------------------------------------------------------------------

Result<void> LtraceText::report(const Event& event, const SignalEvent& signal) {
  if (!style_.signals) return {};
  TRY_VOID(begin(event, kBroken));
  line_.put("--- ");
  put_signal_name(line_, signal.number);
  line_.put(" (");
  const char* description = strsignal(signal.number);
  line_.put(description != nullptr ? description : "Unknown signal");
  line_.put(") ---");
  return end();
}

Result<void> LtraceText::report(const Event& event, const ExitedEvent& exited) {
  reported_.erase(raw(event.thread.tid));
  return remark(event, "+++ exited (status " + std::to_string(exited.status) + ") +++");
}

Result<void> LtraceText::report(const Event& event, const KilledEvent& killed) {
  reported_.erase(raw(event.thread.tid));
  TRY_VOID(begin(event, kBroken));
  line_.put("+++ killed by ");
  put_signal_name(line_, killed.signal);
  line_.put(" +++");
  return end();
}

Result<void> LtraceText::report(const Event& event, const ExecutedEvent&) {
  reported_.erase(raw(event.thread.tid));
  return remark(event, "--- Called exec() ---");
}

Result<void> LtraceText::report(const Event& event, const DetachedEvent&) {
  reported_.erase(raw(event.thread.tid));
  if (open_ == nullptr || thread_ != event.thread.tid) return {};
  line_.put(" <detached ...>");
  return end();
}

Result<void> LtraceText::report(const Event& event, const LostEvent& lost) {
  return remark(event, "strut: " + std::to_string(lost.count) + " events of pid " +
                           std::to_string(raw(event.thread.tid)) + " lost here");
}

Result<void> LtraceText::report(const Event& event, const RenamedEvent& renamed) {
  reported_.erase(raw(event.thread.tid));
  reported_.erase(raw(renamed.to));
  return {};
}

}  // namespace

std::unique_ptr<Sink> make_ltrace_text(LtraceStyle style, std::shared_ptr<Output> log) {
  return std::make_unique<LtraceText>(style, std::move(log));
}

void put_function_name(TextBuffer& out, const FunctionCall& call) {
  if (call.label == FunctionLabel::Caller && !call.caller.empty()) {
    put_safe(out, call.caller);
    out.put("->");
  }
  put_safe(out, call.symbol);
  if (call.label == FunctionLabel::Module && !call.module.empty()) {
    out.put('@');
    put_safe(out, call.module);
  }
}

}  // namespace strut
