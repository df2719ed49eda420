#include "formatters/json/call.hpp"

#include <cstdio>

#include "formatters/json/value.hpp"

namespace strut {

std::string_view json_name(Abi abi) {
  switch (abi) {
    case Abi::X86_64: return "x86-64";
    case Abi::I386: return "i386";
    case Abi::X32: return "x32";
  }
  return {};
}

void put_json_call(JsonWriter& json, const Call& call, const DecodedCall& decoded) {
  json.key("abi");
  json.string(json_name(call.abi));
  json.key("nr");
  json.number(uint64_t{call.nr});
  json.key("call");
  json.string(name_of(call));
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

}  // namespace strut
