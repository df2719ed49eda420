#include "formatters/truss/text.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/clock.hpp"
#include "formatters/strace/call_text.hpp"
#include "formatters/truss/call.hpp"
#include "formatters/truss/function.hpp"
#include "formatters/truss/leader.hpp"
#include "formatters/truss/siginfo.hpp"
#include "formatters/truss/signal.hpp"
#include "syscalls/function.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {

namespace {

constexpr int kEintr = 4, kFirstRestart = 512;  // <linux/errno.h>: from here on the kernel restarts the call

/// The state of a thread.
struct Thread {
  Pid pid{};
  bool in_call = false;  ///< an entry was reported, its exit not yet
  const SyscallDesc* call = nullptr;
  bool end_reported = false;  ///< the current call was shown in full at entry: it never returns
  std::string waiting{};      ///< lines of a call that a signal interrupted: the signal comes first
};

/// The call that a thread is in, or was interrupted in; empty: none.
std::string_view call_of(const Thread& thread) {
  bool is_in_one = thread.call && (thread.in_call || !thread.waiting.empty());
  return is_in_one ? thread.call->name : std::string_view{};
}

class TrussText final : public Sink {
 public:
  TrussText(TrussStyle style, std::shared_ptr<Output> log)
      : style_(std::move(style)), leader_(style_), log_(std::move(log)) {
    if (!style_.base_time) return;
    leader_.put_base(lines_, now());
    lines_.put('\n');
  }

  Result<void> take(const Event& event) override {
    bool shown = style_.reports_of(event.thread.pid, event.thread.tid);
    std::visit([&](const auto& what) { return shown ? report(event, what) : note(event, what); }, event.what);
    return send();
  }
  Result<void> flush() override {
    TRY_VOID(send());
    return log_->flush();
  }
  void gather() override { log_->gather(); }
  Result<void> finish() override {
    for (auto& [tid, thread] : threads_) report_waiting(thread);
    return flush();
  }

 private:
  void report(const Event& event, const EnterEvent& enter);
  void report(const Event& event, const ExitEvent& exit);
  void report(const Event& event, const SleepingEvent& sleeping);
  void report(const Event& event, const SignalEvent& signal);
  void report(const Event& event, const StopEvent& stop);
  void report(const Event& event, const ExitedEvent&) { forget(event.thread); }
  void report(const Event& event, const KilledEvent&);
  void report(const Event& event, const RenamedEvent& renamed);
  void report(const Event& event, const AttachedEvent& attached);
  void report(const Event& event, const DetachedEvent&) { forget(event.thread); }
  void report(const Event& event, const LostEvent& lost);
  void report(const Event& event, const FunctionEntryEvent& entry);
  void report(const Event& event, const FunctionReturnEvent& end);
  // truss says nothing of these.
  void report(const Event& event, const SupersededEvent&) { forget(event.thread); }
  void report(const Event&, const AbiEvent&) {}
  void report(const Event&, const ExecutedEvent&) {}
  void report(const Event&, const FunctionHitEvent&) {}

  // State that is needed of threads that are not shown.
  template <typename What>
  void note(const Event&, const What&) {}
  void note(const Event& event, const AttachedEvent& attached) { count(event, attached); }
  void note(const Event& event, const ExitedEvent&) { forget(event.thread); }
  void note(const Event& event, const KilledEvent&) { forget(event.thread); }

  Thread& thread_of(const Event& event);
  void forget(const ThreadName& thread);
  void count(const Event& event, const AttachedEvent& attached);

  /// A line of this event; `text` writes it.
  template <typename Text>
  void line(const Event& event, Text text, uint64_t system_ns = 0) {
    leader_.put(lines_, event, system_ns);
    text();
    lines_.put('\n');
  }
  /// A further line of it.
  template <typename Text>
  void line_below(const Event& event, Text text) {
    leader_.put_name(lines_, event.thread);
    text();
    lines_.put('\n');
  }
  void report_waiting(Thread& thread) { lines_.put(std::exchange(thread.waiting, {})); }
  void report_below(const Event& event, const Call& call, const DecodedCall& decoded);
  void report_strings(const Event& event, const Call& call, const DecodedCall& decoded);
  void report_fault(const Event& event, const SignalEvent& signal);
  void report_signal(const Event& event, const SignalEvent& signal);
  template <typename Set>
  static bool has(const Set& set, int number) {
    auto at = static_cast<size_t>(number);
    return at < set.size() && set[at];
  }
  FunctionLooks looks() const { return style_.function_arguments ? FunctionLooks::Words : FunctionLooks::Registers; }
  Result<void> send();

  const TrussStyle style_;
  TrussLeader leader_;
  std::shared_ptr<Output> log_;
  TextBuffer lines_;
  Tid writer_{};
  std::unordered_map<int32_t, Thread> threads_;
};

Result<void> TrussText::send() {
  if (lines_.empty()) return {};
  Result<void> written = log_->write(writer_, lines_.view());
  lines_.clear();
  return written;
}

Thread& TrussText::thread_of(const Event& event) {
  Thread& thread = threads_[raw(event.thread.tid)];
  thread.pid = event.thread.pid;
  return thread;
}

void TrussText::forget(const ThreadName& thread) {
  if (auto found = threads_.find(raw(thread.tid)); found != threads_.end()) {
    report_waiting(found->second);
    threads_.erase(found);
  }
  leader_.died(thread);
}

// -- calls ----------------------------------------------------------------------------------------

void TrussText::report(const Event& event, const EnterEvent& enter) {
  const Call& call = *enter.call;
  Thread& thread = thread_of(event);
  report_waiting(thread);
  thread.in_call = true;
  thread.call = call.desc;
  thread.end_reported = (call.desc->classes & kNeverReturns) != 0;
  if (!style_.calls.contains(call.abi, call.nr)) return;
  if (thread.end_reported) {
    line(event, [&] { put_truss_call(lines_, style_, call, *enter.decoded); });
  } else if (waits_for_child(call, *enter.decoded)) {
    line(event, [&] {
      put_call_name(lines_, call);
      lines_.put("()\t\t(waiting for child to exit()/exec()...)");
    });
  }
}

void TrussText::report(const Event& event, const SleepingEvent& sleeping) {
  const Call& call = *sleeping.call;
  if (!style_.calls.contains(call.abi, call.nr)) return;
  line(event, [&] {
    put_truss_call(lines_, style_, call, *sleeping.decoded);
    lines_.put("\t(sleeping...)");
  });
}

void TrussText::report(const Event& event, const ExitEvent& exit) {
  const Call& call = *exit.call;
  Thread& thread = thread_of(event);
  bool end_reported = std::exchange(thread.end_reported, false);
  report_waiting(thread);
  thread.in_call = false;
  thread.call = call.desc;
  if (!style_.calls.contains(call.abi, call.nr) || (end_reported && !call.returned)) return;
  size_t before = lines_.size();
  auto whole = [&] {
    size_t start = lines_.column();
    put_truss_call(lines_, style_, call, *exit.decoded);
    if (call.returned || call.unavailable) put_truss_result(lines_, style_, call, *exit.decoded, start);
  };
  line(event, whole, call.system_time_ns);
  report_below(event, call, *exit.decoded);
  bool interrupted = call.error == kEintr || call.error >= kFirstRestart;
  if (!interrupted) return;
  std::string text(lines_.view());
  thread.waiting = text.substr(before);
  lines_.clear();
  lines_.put(std::string_view(text).substr(0, before));
}

void TrussText::report_below(const Event& event, const Call& call, const DecodedCall& decoded) {
  if (starts_program(call)) report_strings(event, call, decoded);
  TextBuffer text;
  for (size_t i = 0; i < decoded.count; i++) {
    text.clear();
    put_truss_argument_below(text, style_, call, decoded, i);
    if (!text.empty()) line_below(event, [&] { lines_.put(text.view()); });
  }
  for (const Dump& dump : decoded.dumps)
    for (size_t at = 0; at < dump.bytes.size(); at += kTrussDumpBytes)
      line_below(event, [&] { put_truss_dump_line(lines_, dump.bytes.substr(at, kTrussDumpBytes)); });
}

/// -a, -e.
void TrussText::report_strings(const Event& event, const Call& call, const DecodedCall& decoded) {
  size_t argv = argv_of(call);
  auto report_lines = [&](std::string_view title, size_t index) {
    if (index >= decoded.count) return;
    for (const std::string& text : truss_strings(title, decoded.args[index].value))
      line_below(event, [&] { lines_.put(text); });
  };
  if (style_.arguments) report_lines(" argv:", argv);
  if (style_.environment) report_lines(" envp:", argv + 1);
}

// -- signals, faults and stops ----------------------------------------------------------------------

void TrussText::report_fault(const Event& event, const SignalEvent& signal) {
  std::optional<int> fault = fault_of(signal.info);
  if (!fault || !has(style_.faults, *fault)) return;
  line(event, [&] { put_truss_fault(lines_, *fault, event.ip); });
  line_below(event, [&] { put_truss_siginfo_line(lines_, signal.info); });
}

void TrussText::report_signal(const Event& event, const SignalEvent& signal) {
  line(event, [&] { put_truss_signal(lines_, signal, call_of(thread_of(event))); });
  if (has_truss_siginfo(signal.info)) line_below(event, [&] { put_truss_siginfo_line(lines_, signal.info); });
}

void TrussText::report(const Event& event, const SignalEvent& signal) {
  report_fault(event, signal);
  if (has(style_.signals, signal.number)) report_signal(event, signal);
  report_waiting(thread_of(event));
}

void TrussText::report(const Event& event, const StopEvent& stop) {
  Thread& thread = thread_of(event);
  if (has(style_.signals, stop.signal)) line(event, [&] { put_truss_stop(lines_, stop.signal, call_of(thread)); });
  report_waiting(thread);
}

// -- beginnings and ends ------------------------------------------------------------------------------

void TrussText::report(const Event& event, const KilledEvent&) {
  bool process = leader_of(event.thread.pid) == event.thread.tid;
  if (process) {
    report_waiting(thread_of(event));
    line_below(event, [&] { lines_.put("\t*** process killed ***"); });
  }
  forget(event.thread);
}

void TrussText::report(const Event& event, const RenamedEvent& renamed) {
  auto node = threads_.extract(raw(event.thread.tid));
  threads_.erase(raw(renamed.to));
  if (node.empty()) return;
  node.key() = raw(renamed.to);
  threads_.insert(std::move(node));
}

void TrussText::count(const Event& event, const AttachedEvent& attached) {
  if (attached.by_request) leader_.attached(event.thread.pid, attached.threads);
  else leader_.born(event.thread);
}

void TrussText::report(const Event& event, const AttachedEvent& attached) {
  count(event, attached);
  thread_of(event);
  if (attached.by_request || !attached.by) return;
  const SyscallSlot* slot = find_syscall(event.abi, attached.by->name);
  if (!slot || !style_.calls.contains(event.abi, slot->nr)) return;
  bool process = leader_of(event.thread.pid) == event.thread.tid;
  auto parent = threads_.find(raw(attached.parent));
  int32_t parent_pid = parent == threads_.end() ? raw(attached.parent) : raw(parent->second.pid);
  line(event, [&] {
    lines_.put(attached.by->name);
    lines_.put(process ? "()\t\t(returning as child ...)\t= " : "()\t\t(returning as new lwp ...)\t= ");
    lines_.decimal(int64_t{process ? parent_pid : 0});
  });
}

void TrussText::report(const Event& event, const LostEvent& lost) {
  thread_of(event).in_call = false;
  line_below(event, [&] {
    lines_.put("\t*** ");
    lines_.decimal(lost.count);
    lines_.put(lost.count == 1 ? " event was lost here ***" : " events were lost here ***");
  });
}

// -- functions ----------------------------------------------------------------------------------------

void TrussText::report(const Event& event, const FunctionEntryEvent& entry) {
  report_waiting(thread_of(event));
  line(event, [&] { put_truss_entry(lines_, *entry.call, *entry.decoded, looks()); });
}

void TrussText::report(const Event& event, const FunctionReturnEvent& end) {
  report_waiting(thread_of(event));
  if (end.call->abandoned) return;
  line(event, [&] { put_truss_return(lines_, *end.call, *end.decoded, looks()); });
}

}  // namespace

std::unique_ptr<Sink> make_truss_text(TrussStyle style, std::shared_ptr<Output> log) {
  return std::make_unique<TrussText>(std::move(style), std::move(log));
}

}  // namespace strut
