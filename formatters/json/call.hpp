// A system call and its arguments in JSON (docs/json.md, "Calls").
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/call.hpp"

namespace strut {

std::string_view json_name(Abi abi);

/// The members "abi", "nr", "call" and "args".
void put_json_call(JsonWriter& json, const Call& call, const DecodedCall& decoded);

/// The member "args": an object, in the order of the arguments.
void put_json_args(JsonWriter& json, const DecodedCall& decoded);

/// "result" or "error", and "more"; or "returned".
void put_json_outcome(JsonWriter& json, const Call& call, const DecodedCall& decoded);

/// The member "result": an object with the member "value", whatever the call returns.
void put_json_result(JsonWriter& json, const Value& result);
/// The member "error".
void put_json_error(JsonWriter& json, int error);
/// The member "more", if there is more.
void put_json_more(JsonWriter& json, const DecodedCall& decoded);
/// The member "duration_ns".
void put_json_duration(JsonWriter& json, const Call& call);

}  // namespace strut
