#include "cli/stack/report.hpp"
#include "formatters/json/call.hpp"
#include "formatters/json/stack.hpp"
#include "formatters/json/value.hpp"

namespace strut {

namespace {

void put_ids(JsonWriter& json, const char* key, const auto& ids) {
  if (ids.empty()) return;
  json.key(key);
  json.begin_array();
  for (auto id : ids) json.number(static_cast<int64_t>(id));
  json.end_array();
}

void put_waiting(JsonWriter& json, const Waiting& waiting) {
  constexpr const char* kKinds[] = {"", "futex", "mutex", "thread", "children", "descriptors"};
  if (waiting.what == Waiting::For::Unknown) return;
  json.key("waits_for");
  json.begin_object();
  json.member("kind", kKinds[static_cast<size_t>(waiting.what)]);
  if (raw(waiting.address) != 0) {
    json.key("address");
    json.hex_string(raw(waiting.address));
  }
  if (waiting.thread) json.member("thread", int64_t{raw(*waiting.thread)});
  put_ids(json, "children", waiting.children);
  put_ids(json, "descriptors", waiting.descriptors);
  json.end_object();
}

void put_process(JsonWriter& json, const StackProcess& process) {
  json.member("pid", int64_t{raw(process.pid)});
  if (process.stopped != 0) {
    json.key("stopped_by");
    put_json_signal(json, process.stopped);
  }
  if (process.tracer != 0) json.member("tracer", int64_t{process.tracer});
  if (!process.python_unknown.empty()) json.member("no_python_frames", process.python_unknown);
}

void put_thread(JsonWriter& json, const StackProcess& process, const StackThread& thread, JsonStacks& stacks) {
  constexpr uint64_t kNsPerUs = 1000;
  const ThreadCapture& capture = thread.capture;
  json.begin_object();
  put_process(json, process);
  json.member("tid", int64_t{raw(capture.tid)});
  if (!thread.comm.empty()) {
    json.key("comm");
    put_json_bytes(json, thread.comm);
  }
  if (capture.state > ' ') json.member("state", std::string_view(&capture.state, 1));
  if (capture.stopped_ns != 0) json.member("stopped_us", (capture.stopped_ns + kNsPerUs - 1) / kNsPerUs);
  if (capture.by == ThreadCapture::By::Nothing) json.member("why", capture.why);
  if (thread.in_call()) {
    json.key("in");
    json.begin_object();
    put_json_call(json, capture.call, thread.decoded);
    json.end_object();
  }
  put_waiting(json, thread.waiting);
  put_ids(json, "deadlock", thread.deadlock);
  if (const Stack* stack = thread.stack.kept()) {
    stacks.put(json, *stack);
    if (thread.lacks_registers()) json.flag("stack_lacks_registers");
  }
  json.end_object();
}

}  // namespace

std::string stack_json(const StackProcess& process) {
  TextBuffer out;
  JsonStacks stacks;
  for (const auto& thread : process.threads) {
    JsonWriter json(out);
    put_thread(json, process, *thread, stacks);
    out.put('\n');
  }
  return std::string(out.view());
}

}  // namespace strut
