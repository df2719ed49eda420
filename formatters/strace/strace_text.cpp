#include "formatters/strace/strace_text.hpp"

#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "formatters/common/dump_text.hpp"
#include "formatters/common/leader.hpp"
#include "formatters/common/line_log.hpp"
#include "formatters/common/stack_text.hpp"
#include "formatters/strace/call_text.hpp"
#include "syscalls/types/signal/siginfo.hpp"

namespace strut {

namespace {

/// The state of one thread's lines.
struct Thread {
  OpenLine line;
  ArgsShown shown{};         ///< for the call with a reported entry
  bool in_call = false;      ///< an entry was reported, its exit not yet
  std::string last_stack{};  ///< for a call that did not return: shown below the thread's end
};

class StraceText final : public Sink {
 public:
  StraceText(StraceStyle style, std::shared_ptr<Output> log, std::shared_ptr<Output> messages)
      : style_(std::move(style)), leader_(style_), log_(std::move(log)), messages_(std::move(messages)) {}

  Result<void> take(const Event& event) override {
    return std::visit([&](const auto& what) { return style_.summary_only ? note(event, what) : report(event, what); },
                      event.what);
  }

  Result<void> flush() override {
    for (auto& [tid, thread] : threads_) TRY_VOID(log_.send(Tid{tid}, thread.line));
    return log_.output().flush();
  }

  void gather() override { log_.output().gather(); }

  /// A line is still open if tracees ended with the tracer, and stays open.
  Result<void> finish() override { return flush(); }

 private:
  Result<void> report(const Event& event, const EnterEvent& enter);
  Result<void> report(const Event& event, const ExitEvent& exit);
  Result<void> report(const Event& event, const SignalEvent& signal);
  Result<void> report(const Event& event, const StopEvent& stop);
  Result<void> report(const Event& event, const ExitedEvent& exited);
  Result<void> report(const Event& event, const KilledEvent& killed);
  Result<void> report(const Event& event, const SupersededEvent& superseded);
  Result<void> report(const Event& event, const RenamedEvent& renamed);
  Result<void> report(const Event& event, const AttachedEvent& attached);
  Result<void> report(const Event& event, const DetachedEvent& detached);
  Result<void> report(const Event& event, const AbiEvent& abi);
  Result<void> report(const Event& event, const LostEvent& lost);

  // strace knows no functions.
  Result<void> report(const Event&, const FunctionEntryEvent&) { return {}; }
  Result<void> report(const Event&, const FunctionReturnEvent&) { return {}; }
  Result<void> report(const Event&, const ExecutedEvent&) { return {}; }
  Result<void> report(const Event&, const FunctionHitEvent&) { return {}; }
  Result<void> report(const Event&, const SleepingEvent&) { return {}; }

  Result<void> put_below(Tid tid, std::string_view text);
  Result<void> report_stack(const Event& event, Nameless nameless);
  Result<void> report_stack(const Event& event, const Call& call);
  void keep_last_stack(const Event& event);

  /// Reduces an event where only a summary is wanted.
  template <typename What>
  Result<void> note(const Event& event, const What& what);

  Thread& thread_of(Tid tid);
  Result<void> forget(Tid tid);
  /// Begins a line of the event's thread with its leader.
  Result<Thread*> begin_line(const Event& event);
  /// A whole line with a leader; `text` writes it.
  template <typename Text>
  Result<void> line(const Event& event, Text text);
  /// strace's own message on stderr, in the middle of an open line if there is one.
  Result<void> message(const Event& event, std::string_view text);

  const StraceStyle style_;
  Leader leader_;
  LineLog log_;
  std::shared_ptr<Output> messages_;
  std::unordered_map<int32_t, Thread> threads_;
  Tid last_{};  ///< the thread of the last look-up
  Thread* last_thread_ = nullptr;
  TextBuffer message_;
  StackText stacks_;
};

Thread& StraceText::thread_of(Tid tid) {
  if (last_thread_ != nullptr && last_ == tid) return *last_thread_;
  auto [found, is_new] = threads_.try_emplace(raw(tid));
  if (is_new && style_.colour == Colour::Always) found->second.line.text = TextBuffer(&style_.palette);
  last_ = tid;
  last_thread_ = &found->second;
  return found->second;
}

Result<void> StraceText::forget(Tid tid) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return {};
  if (!found->second.last_stack.empty()) TRY_VOID(put_below(tid, std::exchange(found->second.last_stack, {})));
  Result<void> closed = log_.close(tid, found->second.line);
  threads_.erase(found);
  last_thread_ = nullptr;
  return closed;
}

Result<Thread*> StraceText::begin_line(const Event& event) {
  Thread& thread = thread_of(event.thread.tid);
  TRY_VOID(log_.begin(event.thread.tid, thread.line));
  bool shown =
      style_.pid_leader == PidLeader::Always || (style_.pid_leader == PidLeader::WhenSeveral && event.tracees > 1);
  leader_.put(thread.line.text, event, shown ? Leader::Pid::Shown : Leader::Pid::Hidden);
  return &thread;
}

template <typename Text>
Result<void> StraceText::line(const Event& event, Text text) {
  Thread& thread = *TRY(begin_line(event));
  text(thread.line.text);
  return log_.end(event.thread.tid, thread.line);
}

Result<void> StraceText::message(const Event& event, std::string_view text) {
  if (messages_ == nullptr || style_.quiet_attach) return {};
  bool in_log = log_.goes_to(messages_);
  if (in_log) TRY_VOID(log_.send_open());
  message_.clear();
  message_.put(style_.program);
  message_.put(": Process ");
  message_.decimal(int64_t{raw(event.thread.tid)});
  message_.put(text);
  message_.put('\n');
  Result<void> written = messages_->write(event.thread.tid, message_.view());
  if (written) written = messages_->flush();
  // The log is as good as before where only stderr has lost its reader.
  return in_log ? written : Result<void>{};
}

template <typename What>
Result<void> StraceText::note(const Event& event, const What& what) {
  constexpr bool kReported = std::is_same_v<What, AttachedEvent> || std::is_same_v<What, DetachedEvent> ||
                             std::is_same_v<What, AbiEvent> || std::is_same_v<What, RenamedEvent> ||
                             std::is_same_v<What, LostEvent>;
  constexpr bool kLast = std::is_same_v<What, ExitedEvent> || std::is_same_v<What, KilledEvent>;
  if constexpr (kReported) return report(event, what);
  thread_of(event.thread.tid);
  if constexpr (kLast) return forget(event.thread.tid);
  return {};
}

// -- calls ----------------------------------------------------------------------------------------

Result<void> StraceText::report(const Event& event, const EnterEvent& enter) {
  Thread& thread = *TRY(begin_line(event));
  TextBuffer& out = thread.line.text;
  put_call_open(out, *enter.call);
  thread.shown = put_call_args(out, style_, *enter.call, *enter.decoded);
  out.ink(Ink::Plain);
  thread.in_call = true;
  return log_.output().immediate() ? log_.send(event.thread.tid, thread.line) : Result<void>{};
}

Result<void> StraceText::report(const Event& event, const ExitEvent& exit) {
  Thread& thread = thread_of(event.thread.tid);
  TextBuffer& out = thread.line.text;
  if (!thread.in_call) {
    TRY(begin_line(event));
    put_call_open(out, *exit.call);
    // A call that never returned shows the values at its entry.
    thread.shown = exit.call->returned ? ArgsShown{} : put_call_args(out, style_, *exit.call, *exit.decoded);
  } else if (!thread.line.is_open()) {
    TRY(begin_line(event));
    out.put("<... ");
    put_call_name(out, *exit.call);
    out.put(" resumed>");
  }
  thread.in_call = false;
  put_call_rest(out, style_, *exit.call, *exit.decoded, thread.shown);
  put_call_result(out, style_, *exit.call, *exit.decoded);
  if (!exit.decoded->dumps.empty()) {
    out.put('\n');
    put_dumps(out, exit.decoded->dumps);
    TRY_VOID(log_.finish(event.thread.tid, thread.line));
  } else {
    TRY_VOID(log_.end(event.thread.tid, thread.line));
  }
  return event.stack ? report_stack(event, *exit.call) : Result<void>{};
}

// -- signals and stops ------------------------------------------------------------------------------

Result<void> StraceText::report(const Event& event, const SignalEvent& signal) {
  Arena arena;
  Value info = decode_siginfo(arena, signal.info, event.abi, signal.names);
  ValueLooks looks{style_.names, style_.hex_strings, style_.fd_shows, true};
  TRY_VOID(line(event, [&](TextBuffer& out) {
    out.put("--- ");
    put_signal_name(out, signal.number);
    out.put(' ');
    put_value(out, info, looks);
    out.put(" ---");
  }));
  return report_stack(event, Nameless::Empty);
}

// -- stacks -------------------------------------------------------------------------------------------

/// Below the line it belongs to, without a leader.
Result<void> StraceText::put_below(Tid tid, std::string_view text) {
  Thread& thread = thread_of(tid);
  TRY_VOID(log_.begin(tid, thread.line));
  thread.line.text.put(text);
  return log_.end(tid, thread.line);
}

Result<void> StraceText::report_stack(const Event& event, Nameless nameless) {
  if (!event.stack || event.stack->frames.empty()) return {};
  TextBuffer text;
  stacks_.put(text, *event.stack, nameless);
  return put_below(event.thread.tid, text.view());
}

Result<void> StraceText::report_stack(const Event& event, const Call& call) {
  if (call.returned) return report_stack(event, event.stack->of_new_program ? Nameless::Empty : Nameless::Offset);
  keep_last_stack(event);
  return {};
}

void StraceText::keep_last_stack(const Event& event) {
  TextBuffer text;
  stacks_.put(text, *event.stack, Nameless::Offset);
  thread_of(event.thread.tid).last_stack = text.view();
}

Result<void> StraceText::report(const Event& event, const StopEvent& stop) {
  return line(event, [&](TextBuffer& out) {
    out.put("--- stopped by ");
    put_signal_name(out, stop.signal);
    out.put(" ---");
  });
}

// -- beginnings and ends ------------------------------------------------------------------------------

Result<void> StraceText::report(const Event& event, const ExitedEvent& exited) {
  if (!style_.quiet_exit)
    TRY_VOID(line(event, [&](TextBuffer& out) {
      out.put("+++ exited with ");
      out.decimal(int64_t{exited.status});
      out.put(" +++");
    }));
  return forget(event.thread.tid);
}

Result<void> StraceText::report(const Event& event, const KilledEvent& killed) {
  auto signal = static_cast<size_t>(killed.signal);
  bool reported = signal >= style_.signals.size() || style_.signals[signal];
  if (reported)
    TRY_VOID(line(event, [&](TextBuffer& out) {
      out.put("+++ killed by ");
      put_signal_name(out, killed.signal);
      out.put(killed.core_dumped ? " (core dumped) +++" : " +++");
    }));
  return forget(event.thread.tid);
}

Result<void> StraceText::report(const Event& event, const SupersededEvent& superseded) {
  if (style_.quiet_superseded) return {};
  return line(event, [&](TextBuffer& out) {
    out.put("+++ superseded by execve in pid ");
    out.decimal(int64_t{raw(superseded.by)});
    out.put(" +++");
  });
}

Result<void> StraceText::report(const Event& event, const RenamedEvent& renamed) {
  Tid from = event.thread.tid;
  Thread& thread = thread_of(from);
  bool in_call = thread.in_call;
  ArgsShown shown = thread.shown;
  TRY_VOID(log_.end(from, thread.line, " <pid changed to " + std::to_string(raw(renamed.to)) + " ...>"));
  TRY_VOID(forget(from));
  // The thread that had the id before is gone.
  Thread& heir = thread_of(renamed.to);
  TRY_VOID(log_.end(renamed.to, heir.line, " <unfinished ...>"));
  heir.in_call = in_call;
  heir.shown = shown;
  return {};
}

Result<void> StraceText::report(const Event& event, const AttachedEvent& attached) {
  thread_of(event.thread.tid);
  if (log_.output().separate()) TRY_VOID(log_.output().write(event.thread.tid, {}));
  if (attached.threads < 2) return message(event, " attached");
  return message(event, " attached with " + std::to_string(attached.threads) + " threads");
}

Result<void> StraceText::report(const Event& event, const DetachedEvent&) {
  TRY_VOID(message(event, " detached"));
  TRY_VOID(log_.end(event.thread.tid, thread_of(event.thread.tid).line, " <detached ...>"));
  if (event.stack) keep_last_stack(event);
  return forget(event.thread.tid);
}

Result<void> StraceText::report(const Event& event, const AbiEvent& abi) {
  if (style_.quiet_personality) return {};
  return line(event, [&](TextBuffer& out) {
    out.put("[ Process PID=");
    out.decimal(int64_t{event.thread.shown});
    out.put(abi.abi == Abi::X86_64 ? " runs in 64 bit mode. ]"
            : abi.abi == Abi::I386 ? " runs in 32 bit mode. ]"
                                   : " runs in x32 mode. ]");
  });
}

Result<void> StraceText::report(const Event& event, const LostEvent& lost) {
  Thread& thread = thread_of(event.thread.tid);
  TRY_VOID(log_.end(event.thread.tid, thread.line, " <unfinished ...>"));
  thread.in_call = false;
  return line(event, [&](TextBuffer& out) {
    out.put("strut: ");
    out.decimal(lost.count);
    out.put(" events of pid ");
    out.decimal(int64_t{raw(event.thread.tid)});
    out.put(" lost here");
  });
}

}  // namespace

std::unique_ptr<Sink> make_strace_text(StraceStyle style, std::shared_ptr<Output> log,
                                       std::shared_ptr<Output> messages) {
  return std::make_unique<StraceText>(std::move(style), std::move(log), std::move(messages));
}

}  // namespace strut
