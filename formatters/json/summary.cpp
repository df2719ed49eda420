#include "formatters/json/call.hpp"
#include "formatters/json/value.hpp"
#include "formatters/ltrace/summary.hpp"
#include "formatters/strace/call_counts.hpp"
#include "formatters/truss/summary.hpp"

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

/// A line of its own: the members of a summary.
template <typename Members>
void put_line(TextBuffer& out, Members members) {
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "summary");
  members(json);
  json.end_object();
  out.put('\n');
}

void put_counted(TextBuffer& out, std::string_view key, const std::map<std::string, uint64_t>& counts) {
  for (const auto& [name, count] : counts)
    put_line(out, [&](JsonWriter& json) {
      json.member(key, std::string_view(name));
      json.member("count", count);
    });
}

void put_name(JsonWriter& json, std::string_view key, std::string_view name) {
  json.key(key);
  put_json_bytes(json, name);
}

}  // namespace

void put_summary_json(TextBuffer& out, const SummaryStyle& style, Abi abi, std::span<const CallCounts* const> rows) {
  for (const CallCounts* row : rows)
    put_line(out, [&](JsonWriter& json) {
      json.member("abi", json_name(abi));
      json.member("call", row->name);
      json.member("calls", row->calls);
      json.member("errors", row->errors);
      if (!style.wall_clock) put(json, kSystem, row->time);
      put(json, kWall, row->wall);
    });
}

void put_ltrace_counts_json(TextBuffer& out, LtraceSummaryStyle style, std::span<const LtraceCounts> rows) {
  constexpr size_t kPrefix = 4;  // SYS_
  for (const LtraceCounts& row : rows)
    put_line(out, [&](JsonWriter& json) {
      put_name(json, row.is_syscall ? "call" : "function",
               std::string_view(row.name).substr(row.is_syscall ? kPrefix : 0));
      json.member("calls", row.calls);
      if (style.errors || row.is_syscall) json.member("errors", row.errors);
      json.member("wall_ns", row.ns);
    });
}

void put_truss_counts_json(TextBuffer& out, const TrussCounts& counts) {
  put_counted(out, "fault", counts.faults);
  put_counted(out, "signal", counts.signals);
  for (const TrussCounts::Function& function : counts.functions)
    put_line(out, [&](JsonWriter& json) {
      put_name(json, "function", function.name);
      put_name(json, "module", function.module);
      json.member("calls", function.calls);
    });
  for (const auto& [number, row] : counts.syscalls)
    put_line(out, [&](JsonWriter& json) {
      json.member("abi", json_name(number.first));
      json.member("call", std::string_view(row.name));
      json.member("calls", row.calls);
      json.member("errors", row.errors);
      json.member("system_ns", row.system_ns);
    });
  put_line(out, [&](JsonWriter& json) {
    if (counts.user_ns) json.member("user_ns", *counts.user_ns);
    json.member("elapsed_ns", counts.elapsed_ns);
  });
}

}  // namespace strut
