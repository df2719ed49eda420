#include "formatters/json/call.hpp"
#include "formatters/strace/call_counts.hpp"

namespace strut {
namespace {

/// The names of a spread's members.
struct SpreadKeys {
  const char *total, *min, *max;
};
constexpr SpreadKeys kSystem = {"system_ns", "system_min_ns", "system_max_ns"};
constexpr SpreadKeys kWall = {"wall_ns", "wall_min_ns", "wall_max_ns"};

void put(JsonWriter& json, const SpreadKeys& keys, const Spread& spread) {
  json.member(keys.total, spread.total);
  json.member(keys.min, spread.min);
  json.member(keys.max, spread.max);
}

}  // namespace

void put_summary_json(TextBuffer& out, const SummaryStyle& style, Abi abi, std::span<const CallCounts* const> rows) {
  for (const CallCounts* row : rows) {
    JsonWriter json(out);
    json.begin_object();
    json.member("type", "summary");
    json.member("abi", json_name(abi));
    json.member("call", row->name);
    json.member("calls", row->calls);
    json.member("errors", row->errors);
    if (!style.wall_clock) put(json, kSystem, row->time);
    put(json, kWall, row->wall);
    json.end_object();
    out.put('\n');
  }
}

}  // namespace strut
