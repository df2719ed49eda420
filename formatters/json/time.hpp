// Moments in JSON.
#pragma once

#include <cstdint>
#include <string_view>

#include "formatters/json/writer.hpp"

namespace strut {

/// Nanoseconds as text: a number of 19 digits would lose its last ones in programs that keep numbers as doubles.
void put_json_ns(JsonWriter& json, std::string_view key, uint64_t ns);

/// "time", in seconds with nine decimals, and "time_ns".
void put_json_time(JsonWriter& json, uint64_t realtime_ns);

}  // namespace strut
