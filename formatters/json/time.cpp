#include "formatters/json/time.hpp"

namespace strut {

void put_json_ns(JsonWriter& json, std::string_view key, uint64_t ns) {
  TextBuffer text;
  text.decimal(ns);
  json.member(key, text.view());
}

void put_json_time(JsonWriter& json, uint64_t realtime_ns) {
  constexpr uint64_t kSecond = 1'000'000'000;
  TextBuffer time;
  time.decimal(realtime_ns / kSecond);
  time.put('.');
  time.decimal_padded(realtime_ns % kSecond, 9, '0');
  json.key("time");
  json.literal(time.view());
  put_json_ns(json, "time_ns", realtime_ns);
}

}  // namespace strut
