#include "formatters/json/call.hpp"

#include <cstdio>

#include "formatters/json/value.hpp"
#include "syscalls/types/common/errno.hpp"

namespace strut {

std::string_view json_name(Abi abi) {
  switch (abi) {
    case Abi::X86_64: return "x86-64";
    case Abi::I386: return "i386";
    case Abi::X32: return "x32";
  }
  return {};
}

void put_json_args(JsonWriter& json, const DecodedCall& decoded) {
  json.key("args");
  json.begin_object();
  for (size_t i = 0; i < decoded.count; i++) {
    const DecodedArg& arg = decoded.args[i];
    char position[24];
    snprintf(position, sizeof position, "arg%zu", i + 1);
    json.key(arg.type != nullptr && arg.type->name != nullptr ? arg.type->name : position);
    put_json(json, arg.value);
  }
  json.end_object();
}

void put_json_call(JsonWriter& json, const Call& call, const DecodedCall& decoded) {
  json.key("abi");
  json.string(json_name(call.abi));
  json.key("nr");
  json.number(uint64_t{call.nr});
  json.key("call");
  json.string(name_of(call));
  put_json_args(json, decoded);
}

void put_json_result(JsonWriter& json, const Value& result) {
  TextBuffer text;
  JsonWriter alone(text);
  put_json(alone, result);
  json.key("result");
  if (text.view().starts_with("{\"value\":")) return json.literal(text.view());
  json.begin_object();
  json.key("value");
  json.literal(text.view());
  json.end_object();
}

void put_json_error(JsonWriter& json, int error) {
  json.key("error");
  put_json(json, {Named{static_cast<uint64_t>(error), &kErrnoNames, 4}, {}});
}

void put_json_more(JsonWriter& json, const DecodedCall& decoded) {
  if (decoded.aux.absent()) return;
  const auto* parts = std::get_if<Struct>(&decoded.aux.is);
  bool alone = parts != nullptr && parts->fields.size() == 1 && parts->fields[0].name.empty();
  json.key("more");
  put_json(json, alone ? parts->fields[0].value : decoded.aux);
}

void put_json_duration(JsonWriter& json, const Call& call) {
  uint64_t entered = call.entered.monotonic_ns, left = call.left.monotonic_ns;
  json.member("duration_ns", left > entered ? left - entered : uint64_t{0});
}

void put_json_outcome(JsonWriter& json, const Call& call, const DecodedCall& decoded) {
  if (!call.returned) {
    json.key("returned");
    return json.boolean(false);
  }
  if (call.error != 0) put_json_error(json, call.error);
  else put_json_result(json, decoded.result);
  put_json_more(json, decoded);
  put_json_duration(json, call);
  constexpr std::pair<uint8_t, std::string_view> kMarks[] = {
      {kInjectedArgs, "args_injected"}, {kInjectedRetval, "result_injected"}, {kDelayed, "delayed"}};
  for (const auto& [bit, name] : kMarks)
    if (call.tampering & bit) json.flag(name);
}

}  // namespace strut
