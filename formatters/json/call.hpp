// A system call and its arguments in JSON (docs/json.md, "call").
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/call.hpp"

namespace strut {

std::string_view json_name(Abi abi);

/// The members "abi", "nr", "call" and "args".
void put_json_call(JsonWriter& json, const Call& call, const DecodedCall& decoded);

}  // namespace strut
