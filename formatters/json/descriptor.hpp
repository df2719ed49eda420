// Descriptors and processes as JSON, with what is known of them besides their numbers.
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// A number, or {"value":3,"path":"/etc/passwd",…} where the target is known.
void put_json_fd(JsonWriter& json, const Fd& fd);

/// A number, or {"value":5,"comm":"cat","translated":77}.
void put_json_process(JsonWriter& json, const ProcessId& id);

}  // namespace strut
