// Values as JSON; docs/json.md describes each form.
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// Writes the value. Pending and Absent are null.
void put_json(JsonWriter& json, const Value& value);

/// {"value":9,"name":"SIGKILL"}; without "name" if it has none.
void put_json_signal(JsonWriter& json, int32_t number);

/// ["SIGHUP","SIGKILL"]
void put_json_signals(JsonWriter& json, const SignalSet& set);

/// Bytes: a string if they are UTF-8, else {"hex":"ff00"}.
void put_json_bytes(JsonWriter& json, std::string_view bytes);

}  // namespace strut
