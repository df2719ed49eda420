#include "formatters/json/stack.hpp"

#include "formatters/json/value.hpp"

namespace strut {

namespace {

void put_python(JsonWriter& json, const StackFrame& frame) {
  json.member("language", "python");
  json.key("function");
  put_json_bytes(json, frame.symbol);
}

void put_source(JsonWriter& json, const StackFrame& frame) {
  if (frame.source.empty()) return;
  json.key("source");
  put_json_bytes(json, frame.source);
  if (frame.line != 0) json.member("line", uint64_t{frame.line});
}

}  // namespace

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
  bool python = frame.module == kPythonCode;
  python ? put_python(json, frame) : put_native(json, frame);
  put_source(json, frame);
  if (frame.guessed) json.flag("guessed");
  json.end_object();
}

void JsonStacks::put_native(JsonWriter& json, const StackFrame& frame) {
  json.key("ip");
  json.hex_string(raw(frame.pc));
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
}

}  // namespace strut
