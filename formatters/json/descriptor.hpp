// Descriptors and processes as JSON, with their details.
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// A number, or {"value":3,"path":"/etc/passwd",…} where the target is known.
void put_json_fd(JsonWriter& json, const Fd& fd);

/// A number, or {"value":5,"comm":"cat","translated":77}.
void put_json_process(JsonWriter& json, const ProcessId& id);

}  // namespace strut
