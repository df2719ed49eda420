// Events in Chrome's trace event format, a JSON array: https://ui.perfetto.dev and chrome://tracing show it as a
// timeline. Source: "Trace Event Format" of the Chromium project ("X", "i" and "M" events, the JSON array format).
//
// A bar for each call of the system or of a function, a mark for signals, ends and lost events, names of processes and
// threads.
#include "formatters/common/format_context.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formatters/json/call.hpp"
#include "formatters/json/function.hpp"
#include "formatters/json/value.hpp"
#include "syscalls/signal_names.hpp"
#include "trace/partial_sink.hpp"

namespace strut {

namespace {

/// A bar or, without `left`, a mark.
struct Shape {
  std::string_view name, category;
  uint64_t entered_ns;  ///< CLOCK_MONOTONIC: readers keep microseconds as doubles, which lack the digits for the epoch
  uint64_t left_ns = 0;
};

class ChromeTimeline final : public PartialSink {
 public:
  explicit ChromeTimeline(FormatContext context) : output_(std::move(context.log)) {}

  Result<void> handle(const Event& event, const ExitEvent& exit) override {
    const Call& call = *exit.call;
    name_ = name_of(call);
    return put(event, {name_, "syscall", call.entered.monotonic_ns, call.returned ? call.left.monotonic_ns : 0},
               [&](JsonWriter& json) {
                 put_json_args(json, *exit.decoded);
                 put_json_outcome(json, call, *exit.decoded);
               });
  }
  Result<void> handle(const Event& event, const FunctionReturnEvent& end) override {
    const FunctionCall& call = *end.call;
    if (call.active_before) return {};  // the beginning is not known
    uint64_t left_ns = call.abandoned ? event.at.monotonic_ns : call.call.left.monotonic_ns;
    return put(event, {call.symbol, "function", call.call.entered.monotonic_ns, left_ns}, [&](JsonWriter& json) {
      put_json_function(json, call, *end.decoded);
      put_json_function_end(json, call, *end.decoded);
    });
  }
  Result<void> handle(const Event& event, const SignalEvent& signal) override {
    return mark(event, signal_name(signal.number), "signal");
  }
  Result<void> handle(const Event& event, const KilledEvent& killed) override {
    return mark(event, signal_name(killed.signal), "killed");
  }
  Result<void> handle(const Event& event, const ExitedEvent& exited) override {
    name_ = "exited with " + std::to_string(exited.status);
    return mark(event, name_.c_str(), "exited");
  }
  Result<void> handle(const Event& event, const LostEvent& lost) override {
    name_ = std::to_string(lost.count) + " events lost";
    return mark(event, name_.c_str(), "lost");
  }
  Result<void> flush() override { return output_->flush(); }
  void gather() override { output_->gather(); }
  /// Readers do without the bracket, which a killed strut does not write.
  Result<void> finish() override {
    if (!output_->separate() && !begun_.empty()) TRY_VOID(output_->write(Tid{}, "\n]\n"));
    return output_->flush();
  }

 private:
  Result<void> mark(const Event& event, const char* name, std::string_view category) {
    return put(event, {name != nullptr ? name : "unknown signal", category, event.at.monotonic_ns}, [](JsonWriter&) {});
  }
  template <typename Details>
  Result<void> put(const Event& event, const Shape& shape, Details details);
  /// Metadata, where the thread's name is another than it was.
  void put_name(const Event& event);
  /// The comma or bracket in front of an object.
  void separate(const ThreadName& thread) {
    int32_t log = output_->separate() ? raw(thread.tid) : 0;
    text_.put(begun_.insert(log).second ? "[\n" : ",\n");
  }
  static void put_ids(JsonWriter& json, const ThreadName& thread) {
    json.member("pid", int64_t{raw(thread.pid)});
    json.member("tid", int64_t{raw(thread.tid)});
  }
  static void put_us(JsonWriter& json, std::string_view key, uint64_t ns) {
    TextBuffer number;
    number.decimal(ns / 1000);
    number.put('.');
    number.decimal_padded(ns % 1000, 3, '0');
    json.key(key);
    json.literal(number.view());
  }

  std::shared_ptr<Output> output_;
  std::unordered_set<int32_t> begun_;  ///< logs with an opening bracket; 0: the one of all threads
  std::unordered_map<int32_t, std::string> names_;
  std::string name_;
  TextBuffer text_;
};

void ChromeTimeline::put_name(const Event& event) {
  const ThreadName& thread = event.thread;
  std::string& name = names_[raw(thread.tid)];
  if (thread.comm.empty() || name == thread.comm) return;
  name = thread.comm;
  for (const char* what : {"process_name", "thread_name"}) {
    if (what[0] == 'p' && leader_of(thread.pid) != thread.tid) continue;
    separate(thread);
    JsonWriter json(text_);
    json.begin_object();
    json.member("name", what);
    json.member("ph", "M");
    put_ids(json, thread);
    json.key("args");
    json.begin_object();
    json.member("name", is_utf8(name) ? std::string_view(name) : "?");
    json.end_object();
    json.end_object();
  }
}

template <typename Details>
Result<void> ChromeTimeline::put(const Event& event, const Shape& shape, Details details) {
  text_.clear();
  put_name(event);
  separate(event.thread);
  JsonWriter json(text_);
  json.begin_object();
  json.member("name", is_utf8(shape.name) ? shape.name : "?");
  json.member("cat", shape.category);
  bool is_bar = shape.left_ns >= shape.entered_ns && shape.left_ns != 0;
  json.member("ph", is_bar ? "X" : "i");
  put_us(json, "ts", shape.entered_ns);
  if (is_bar) put_us(json, "dur", shape.left_ns - shape.entered_ns);
  else json.member("s", "t");
  put_ids(json, event.thread);
  json.key("args");
  json.begin_object();
  details(json);
  json.end_object();
  json.end_object();
  return output_->write(event.thread.tid, text_.view());
}

}  // namespace

std::unique_ptr<Sink> make_chrome_timeline(FormatContext context) {
  return std::make_unique<ChromeTimeline>(std::move(context));
}

}  // namespace strut
