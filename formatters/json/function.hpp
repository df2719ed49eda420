// A function's call in JSON (docs/json.md, "Functions").
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/function.hpp"

namespace strut {

/// The members "function", "module", "caller", "depth" and "args".
void put_json_function(JsonWriter& json, const FunctionCall& call, const DecodedCall& decoded);

/// "result", "error" and "more", or "returned".
void put_json_function_end(JsonWriter& json, const FunctionCall& call, const DecodedCall& decoded);

}  // namespace strut
