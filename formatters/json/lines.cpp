#include "formatters/json/lines.hpp"

#include <utility>

#include "formatters/json/call.hpp"
#include "formatters/json/stack.hpp"
#include "formatters/json/value.hpp"
#include "syscalls/types/common/errno.hpp"
#include "syscalls/types/signal/siginfo.hpp"

namespace strut {

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

class JsonLines final : public Sink {
 public:
  explicit JsonLines(std::shared_ptr<Output> output) : output_(std::move(output)) {}

  /// A call is reported when it ends; its entry adds nothing to that. docs/json.md has no functions.
  Result<void> take(const Event& event) override {
    if (std::holds_alternative<EnterEvent>(event.what) || is_of_functions(event)) return {};
    line_.clear();
    JsonWriter json(line_);
    json.begin_object();
    put_head(json, event);
    std::visit([&](const auto& what) { put_what(json, event, what); }, event.what);
    if (event.stack) stacks_.put(json, *event.stack);
    json.end_object();
    line_.put('\n');
    return output_->write(event.thread.tid, line_.view());
  }
  Result<void> flush() override { return output_->flush(); }
  void gather() override { output_->gather(); }
  Result<void> finish() override { return output_->flush(); }

 private:
  static bool is_of_functions(const Event& event) {
    return std::holds_alternative<FunctionEntryEvent>(event.what) ||
           std::holds_alternative<FunctionReturnEvent>(event.what) ||
           std::holds_alternative<ExecutedEvent>(event.what) || std::holds_alternative<FunctionHitEvent>(event.what) ||
           std::holds_alternative<SleepingEvent>(event.what);
  }
  static void put_what(JsonWriter&, const Event&, const FunctionEntryEvent&) {}
  static void put_what(JsonWriter&, const Event&, const FunctionReturnEvent&) {}
  static void put_what(JsonWriter&, const Event&, const ExecutedEvent&) {}
  static void put_what(JsonWriter&, const Event&, const FunctionHitEvent&) {}
  static void put_what(JsonWriter&, const Event&, const SleepingEvent&) {}
  static void put_time(JsonWriter& json, uint64_t realtime_ns);
  static void put_head(JsonWriter& json, const Event& event);
  static void put_type(JsonWriter& json, std::string_view type) {
    json.key("type");
    json.string(type);
  }
  static void put_call(JsonWriter& json, const Call& call, const DecodedCall& decoded) {
    put_type(json, "call");
    put_json_call(json, call, decoded);
  }
  static void put_outcome(JsonWriter& json, const Call& call, const DecodedCall& decoded);

  static void put_what(JsonWriter&, const Event&, const EnterEvent&) {}
  static void put_what(JsonWriter& json, const Event&, const ExitEvent& exit) {
    put_call(json, *exit.call, *exit.decoded);
    put_outcome(json, *exit.call, *exit.decoded);
  }
  static void put_what(JsonWriter& json, const Event& event, const SignalEvent& signal) {
    Arena arena;
    put_type(json, "signal");
    json.key("signal");
    put_json_signal(json, signal.number);
    json.key("info");
    put_json(json, decode_siginfo(arena, signal.info, event.abi, signal.names));
  }
  static void put_what(JsonWriter& json, const Event&, const StopEvent& stop) {
    put_type(json, "stopped");
    json.key("signal");
    put_json_signal(json, stop.signal);
  }
  static void put_what(JsonWriter& json, const Event&, const ExitedEvent& exited) {
    put_type(json, "exited");
    json.key("status");
    json.number(int64_t{exited.status});
  }
  static void put_what(JsonWriter& json, const Event&, const KilledEvent& killed) {
    put_type(json, "killed");
    json.key("signal");
    put_json_signal(json, killed.signal);
    json.key("core_dumped");
    json.boolean(killed.core_dumped);
  }
  static void put_what(JsonWriter& json, const Event&, const SupersededEvent& superseded) {
    put_type(json, "superseded");
    json.key("by");
    json.number(int64_t{raw(superseded.by)});
  }
  static void put_what(JsonWriter& json, const Event&, const RenamedEvent& renamed) {
    put_type(json, "renamed");
    json.key("to");
    json.number(int64_t{raw(renamed.to)});
  }
  static void put_what(JsonWriter& json, const Event&, const AttachedEvent& attached) {
    put_type(json, "attached");
    json.key("by_request");
    json.boolean(attached.by_request);
    json.key("threads");
    json.number(uint64_t{attached.threads});
  }
  static void put_what(JsonWriter& json, const Event&, const DetachedEvent& detached) {
    put_type(json, "detached");
    json.key("in_call");
    json.boolean(detached.in_call);
    if (detached.call == nullptr) return;
    json.key("in");
    json.begin_object();
    put_call(json, *detached.call, *detached.decoded);
    json.end_object();
  }
  static void put_what(JsonWriter& json, const Event&, const AbiEvent& abi) {
    put_type(json, "abi");
    json.key("abi");
    json.string(json_name(abi.abi));
  }
  static void put_what(JsonWriter& json, const Event&, const LostEvent& lost) {
    put_type(json, "lost");
    json.key("count");
    json.number(lost.count);
  }

  std::shared_ptr<Output> output_;
  TextBuffer line_;
  JsonStacks stacks_;
};

void JsonLines::put_time(JsonWriter& json, uint64_t realtime_ns) {
  TextBuffer time;
  time.decimal(realtime_ns / kSecond);
  time.put('.');
  time.decimal_padded(realtime_ns % kSecond, 9, '0');
  json.key("time");
  json.literal(time.view());
}

void JsonLines::put_head(JsonWriter& json, const Event& event) {
  const auto* exit = std::get_if<ExitEvent>(&event.what);
  put_time(json, exit != nullptr ? exit->call->entered.realtime_ns : event.at.realtime_ns);
  json.key("pid");
  json.number(int64_t{raw(event.thread.pid)});
  json.key("tid");
  json.number(int64_t{raw(event.thread.tid)});
  if (event.thread.comm.empty()) return;
  json.key("comm");
  put_json_bytes(json, event.thread.comm);
}

void JsonLines::put_outcome(JsonWriter& json, const Call& call, const DecodedCall& decoded) {
  if (!call.returned) {
    json.key("returned");
    return json.boolean(false);
  }
  if (call.error != 0) {
    json.key("error");
    put_json(json, {Named{static_cast<uint64_t>(call.error), &kErrnoNames, 4}, {}});
  } else {
    json.key("result");
    put_json(json, decoded.result);
  }
  if (!decoded.aux.absent()) {
    const auto* parts = std::get_if<Struct>(&decoded.aux.is);
    bool alone = parts != nullptr && parts->fields.size() == 1 && parts->fields[0].name.empty();
    json.key("more");
    put_json(json, alone ? parts->fields[0].value : decoded.aux);
  }
  json.key("duration_ns");
  json.number(call.left.monotonic_ns > call.entered.monotonic_ns ? call.left.monotonic_ns - call.entered.monotonic_ns
                                                                 : uint64_t{0});
  constexpr std::pair<uint8_t, std::string_view> kMarks[] = {
      {kInjectedArgs, "args_injected"}, {kInjectedRetval, "result_injected"}, {kDelayed, "delayed"}};
  for (const auto& [bit, name] : kMarks)
    if (call.tampering & bit) {
      json.key(name);
      json.boolean(true);
    }
}

}  // namespace

std::unique_ptr<Sink> make_json_lines(std::shared_ptr<Output> output) {
  return std::make_unique<JsonLines>(std::move(output));
}

}  // namespace strut
