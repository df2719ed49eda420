// Descriptors and processes as JSON, with their details.
#pragma once

#include "formatters/json/writer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// {"value":3}, with "path" and more where the target is known.
void put_json_fd(JsonWriter& json, const Fd& fd);

/// {"value":5}, with "comm" and "translated" where they are known.
void put_json_process(JsonWriter& json, const ProcessId& id);

}  // namespace strut
