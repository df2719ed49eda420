#include "formatters/json_stack.hpp"

#include "formatters/json_value.hpp"

namespace strut {

void JsonStacks::put(JsonWriter& json, const Stack& stack) {
  json.key("stack");
  json.begin_array();
  for (const StackFrame& frame : stack.frames) put_frame(json, frame);
  json.end_array();
  for (auto [said, name] : {std::pair(stack.cut, "stack_cut"), std::pair(stack.truncated, "stack_truncated")}) {
    if (!said) continue;
    json.key(name);
    json.boolean(true);
  }
}

void JsonStacks::put_frame(JsonWriter& json, const StackFrame& frame) {
  json.begin_object();
  json.key("ip");
  json.number(raw(frame.pc));
  if (!frame.module.empty()) {
    json.key("module");
    put_json_bytes(json, frame.module);
    json.key("file_offset");
    json.number(frame.file_offset);
  }
  if (!frame.symbol.empty()) {
    json.key("function");
    put_json_bytes(json, names_.of(frame.symbol));
    json.key("offset");
    json.number(frame.offset);
  }
  if (!frame.source.empty()) {
    json.key("source");
    put_json_bytes(json, frame.source);
    json.key("line");
    json.number(uint64_t{frame.line});
  }
  if (frame.guessed) {
    json.key("guessed");
    json.boolean(true);
  }
  json.end_object();
}

}  // namespace strut
