#include "formatters/json/function.hpp"

#include "formatters/json/call.hpp"
#include "formatters/json/value.hpp"

namespace strut {

void put_json_function(JsonWriter& json, const FunctionCall& call, const DecodedCall& decoded) {
  json.key("function");
  put_json_bytes(json, call.symbol);
  if (!call.module.empty()) {
    json.key("module");
    put_json_bytes(json, call.module);
  }
  if (!call.caller.empty()) {
    json.key("caller");
    put_json_bytes(json, call.caller);
  }
  json.member("depth", uint64_t{call.depth});
  if (call.active_before) json.flag("active_before");
  else put_json_args(json, decoded);
}

void put_json_function_end(JsonWriter& json, const FunctionCall& call, const DecodedCall& decoded) {
  if (call.abandoned) {
    json.key("returned");
    return json.boolean(false);
  }
  if (!decoded.result.absent()) put_json_result(json, decoded.result);
  if (call.call.error > 0) put_json_error(json, call.call.error);
  put_json_more(json, decoded);
}

}  // namespace strut
