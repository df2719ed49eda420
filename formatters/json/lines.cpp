// Events as JSON, one object a line (--format json): one about the run, then one for each finished call and each other
// event. docs/json.md describes the keys.
#include "formatters/common/format_context.hpp"

#include <optional>
#include <unordered_set>
#include <utility>

#include "formatters/common/open_calls.hpp"
#include "formatters/common/parents.hpp"
#include "formatters/json/beginning.hpp"
#include "formatters/json/call.hpp"
#include "formatters/json/function.hpp"
#include "formatters/json/stack.hpp"
#include "formatters/json/time.hpp"
#include "formatters/json/value.hpp"
#include "syscalls/types/signal/siginfo.hpp"
#include "trace/partial_sink.hpp"

namespace strut {

namespace {

using Kind = OpenCalls::Kind;

/// A call is reported when it ends; so is that of a function, with the stack of its entry.
class JsonLines final : public PartialSink {
 public:
  explicit JsonLines(FormatContext context)
      : output_(std::move(context.log)),
        facts_(std::move(context.facts)),
        parents_(facts_.parent_of),
        only_counts_(context.only_counts) {}

  Result<void> begin(std::string_view backend) override {
    backend_ = backend;
    return only_counts_ && !output_->separate() ? put_beginning(Tid{}) : Result<void>{};
  }
  Result<void> take(const Event& event) override {
    if (only_counts_) return {};
    parent_ = parents_.of(event);  // of events without a line, too: a thread may fork in its first call
    return PartialSink::take(event);
  }
  Result<void> flush() override { return output_->flush(); }
  void gather() override { output_->gather(); }
  Result<void> finish() override { return output_->flush(); }

  Result<void> handle(const Event& event, const EnterEvent& enter) override {
    calls_.enter(event.thread.tid, enter.call, Kind::Syscall);
    return {};
  }
  Result<void> handle(const Event& event, const ExitEvent& exit) override;
  Result<void> handle(const Event& event, const SleepingEvent& sleeping) override;
  Result<void> handle(const Event& event, const FunctionEntryEvent& entry) override;
  Result<void> handle(const Event& event, const FunctionReturnEvent& end) override;
  Result<void> handle(const Event& event, const SignalEvent& signal) override;
  Result<void> handle(const Event& event, const DetachedEvent& detached) override;
  Result<void> handle(const Event& event, const ExecutedEvent&) override {
    calls_.forget(event.thread.tid);
    return put(event, "executed");
  }
  Result<void> handle(const Event& event, const ExitedEvent& exited) override {
    calls_.forget(event.thread.tid);
    return put(event, "exited", [&] { json_->member("status", int64_t{exited.status}); });
  }
  Result<void> handle(const Event& event, const KilledEvent& killed) override {
    calls_.forget(event.thread.tid);
    return put(event, "killed", [&] {
      put_signal(killed.signal);
      json_->key("core_dumped");
      json_->boolean(killed.core_dumped);
    });
  }
  Result<void> handle(const Event& event, const StopEvent& stop) override {
    return put(event, "stopped", [&] { put_signal(stop.signal); });
  }
  Result<void> handle(const Event& event, const SupersededEvent& superseded) override {
    return put(event, "superseded", [&] { json_->member("by", int64_t{raw(superseded.by)}); });
  }
  Result<void> handle(const Event& event, const RenamedEvent& renamed) override {
    calls_.rename(event.thread.tid, renamed.to);
    return put(event, "renamed", [&] { json_->member("to", int64_t{raw(renamed.to)}); });
  }
  Result<void> handle(const Event& event, const AttachedEvent& attached) override {
    return put(event, "attached", [&] {
      json_->key("by_request");
      json_->boolean(attached.by_request);
      json_->member("threads", uint64_t{attached.threads});
    });
  }
  Result<void> handle(const Event& event, const AbiEvent& abi) override {
    return put(event, "abi", [&] { json_->member("abi", json_name(abi.abi)); });
  }
  Result<void> handle(const Event& event, const LostEvent& lost) override {
    return put(event, "lost", [&] { json_->member("count", lost.count); });
  }

 private:
  template <typename Members>
  Result<void> put(const Event& event, std::string_view type, Members members) {
    return put_at(event, event.at.realtime_ns, type, members);
  }
  Result<void> put(const Event& event, std::string_view type) {
    return put(event, type, [] {});
  }
  template <typename Members>
  Result<void> put_at(const Event& event, uint64_t realtime_ns, std::string_view type, Members members);
  /// The first line of a log comes before its first event: a run that cannot begin has none.
  Result<void> begin_log(Tid thread) {
    return begun_.contains(raw(thread)) ? Result<void>{} : put_beginning(thread);
  }
  Result<void> put_beginning(Tid thread);
  void put_head(const Event& event, uint64_t realtime_ns, std::string_view type);
  void put_ids(const CallIds& ids) {
    json_->member("id", ids.id);
    if (ids.parent != 0) json_->member("parent", ids.parent);
  }
  void put_signal(int number) {
    json_->key("signal");
    put_json_signal(*json_, number);
  }
  std::string stack_text(const Event& event);

  std::shared_ptr<Output> output_;
  RunFacts facts_;
  Parents parents_;
  Pid parent_{};  ///< of the current event's process
  bool only_counts_;
  std::string backend_;
  std::unordered_set<int32_t> begun_;  ///< logs that have their first line, by thread; 0: the one log of all
  TextBuffer line_;
  std::optional<JsonWriter> json_;  ///< facts of the line that is being written
  OpenCalls calls_;
  JsonStacks stacks_;
};

// -- lines ------------------------------------------------------------------------------------------

Result<void> JsonLines::put_beginning(Tid thread) {
  begun_.insert(raw(thread));
  line_.clear();
  put_json_beginning(line_, facts_, backend_);
  return output_->write(thread, line_.view());
}

void JsonLines::put_head(const Event& event, uint64_t realtime_ns, std::string_view type) {
  put_json_time(*json_, realtime_ns);
  json_->member("pid", int64_t{raw(event.thread.pid)});
  if (raw(parent_) != 0) json_->member("ppid", int64_t{raw(parent_)});
  json_->member("tid", int64_t{raw(event.thread.tid)});
  if (!event.thread.comm.empty()) {
    json_->key("comm");
    put_json_bytes(*json_, event.thread.comm);
  }
  json_->member("type", type);
}

template <typename Members>
Result<void> JsonLines::put_at(const Event& event, uint64_t realtime_ns, std::string_view type, Members members) {
  Tid thread = event.thread.tid;
  TRY_VOID(begin_log(output_->separate() ? thread : Tid{}));
  line_.clear();
  json_.emplace(line_);
  json_->begin_object();
  put_head(event, realtime_ns, type);
  members();
  json_->end_object();
  line_.put('\n');
  return output_->write(thread, line_.view());
}

// -- calls ------------------------------------------------------------------------------------------

Result<void> JsonLines::handle(const Event& event, const ExitEvent& exit) {
  const Call& call = *exit.call;
  OpenCalls::Ended ended = calls_.end(event.thread.tid, &call, Kind::Syscall);
  return put_at(event, call.entered.realtime_ns, "call", [&] {
    put_ids(ended.ids);
    put_json_call(*json_, call, *exit.decoded);
    put_json_outcome(*json_, call, *exit.decoded);
    if (event.stack) stacks_.put(*json_, *event.stack);
  });
}

Result<void> JsonLines::handle(const Event& event, const SleepingEvent& sleeping) {
  return put(event, "sleeping", [&] {
    put_ids(calls_.current(event.thread.tid, sleeping.call, Kind::Syscall));
    put_json_call(*json_, *sleeping.call, *sleeping.decoded);
  });
}

std::string JsonLines::stack_text(const Event& event) {
  if (event.stack == nullptr) return {};
  TextBuffer text;
  JsonWriter json(text);
  json.begin_object();
  stacks_.put(json, *event.stack);
  return std::string(text.view().substr(1));
}

Result<void> JsonLines::handle(const Event& event, const FunctionEntryEvent& entry) {
  calls_.enter(event.thread.tid, entry.call, Kind::Function, stack_text(event));
  return {};
}

Result<void> JsonLines::handle(const Event& event, const FunctionReturnEvent& end) {
  const FunctionCall& call = *end.call;
  OpenCalls::Ended ended = calls_.end(event.thread.tid, &call, Kind::Function);
  bool is_dated = !call.active_before && call.call.entered.realtime_ns != 0;
  uint64_t began_ns = is_dated ? call.call.entered.realtime_ns : event.at.realtime_ns;
  return put_at(event, began_ns, "function", [&] {
    put_ids(ended.ids);
    put_json_function(*json_, call, *end.decoded);
    put_json_function_end(*json_, call, *end.decoded);
    if (is_dated && !call.abandoned) put_json_duration(*json_, call.call);
    if (!ended.stack.empty()) json_->literal(ended.stack);
  });
}

// -- signals and ends ---------------------------------------------------------------------------------

Result<void> JsonLines::handle(const Event& event, const SignalEvent& signal) {
  return put(event, "signal", [&] {
    Arena arena;
    put_signal(signal.number);
    json_->key("info");
    put_json(*json_, decode_siginfo(arena, signal.info, event.abi, signal.names));
    if (event.stack) stacks_.put(*json_, *event.stack);
  });
}

Result<void> JsonLines::handle(const Event& event, const DetachedEvent& detached) {
  return put(event, "detached", [&] {
    json_->key("in_call");
    json_->boolean(detached.in_call);
    if (detached.call != nullptr) {
      json_->key("in");
      json_->begin_object();
      json_->member("type", "call");
      put_ids(calls_.end(event.thread.tid, detached.call, Kind::Syscall).ids);
      put_json_call(*json_, *detached.call, *detached.decoded);
      json_->end_object();
    }
    if (event.stack) stacks_.put(*json_, *event.stack);
    calls_.forget(event.thread.tid);
  });
}

}  // namespace

std::unique_ptr<Sink> make_json_lines(FormatContext context) { return std::make_unique<JsonLines>(std::move(context)); }

}  // namespace strut
