#include "dtrace/providers/live_probes.hpp"

#include <algorithm>
#include <iterator>

namespace strut {
namespace {

/// How ptrace sees a process event.
enum SeenBy : uint8_t { kLives, kCalls };
struct EventRow {
  DTrigger::Process event;
  SeenBy seen_by;
};
constexpr EventRow kEvents[] = {
#define PROCESS_EVENT(event, number, hook, tracer, ...) {DTrigger::Process::event, tracer},
#include "dlang/machine/process_events.inc"
#undef PROCESS_EVENT
};

}  // namespace

std::string LiveProbes::description_of(const DProbe& probe) {
  std::string name(probe.provider);
  for (std::string_view part : {probe.module, probe.function, probe.name}) name.append(":").append(part);
  return name;
}

void LiveProbes::add(uint32_t index, const DProbe& probe) {
  const DTrigger& trigger = probe.trigger;
  if (trigger.kind == DTrigger::Kind::Process) processes_[static_cast<size_t>(trigger.process)].push_back(index);
  watches_ |= trigger.kind == DTrigger::Kind::Watch;
  if (trigger.kind == DTrigger::Kind::Profile) {
    profiles_.push_back(index);
    clocks_ns_.push_back(trigger.interval_ns);
  }
  for (const DTrigger::Syscall& call : trigger.calls) {
    if (trigger.kind == DTrigger::Kind::SyscallEntry) entries_[call.name].push_back({index, call.first});
    if (trigger.kind == DTrigger::Kind::SyscallReturn) returns_[call.name].push_back({index, call.first});
  }
}

bool LiveProbes::need_calls() const {
  auto needs_them = [&](const EventRow& row) { return row.seen_by == kCalls && !of(row.event).empty(); };
  return !entries_.empty() || !returns_.empty() || std::ranges::any_of(kEvents, needs_them);
}

bool LiveProbes::any() const {
  auto is_used = [](const std::vector<uint32_t>& probes) { return !probes.empty(); };
  return watches_ || !entries_.empty() || !returns_.empty() || !profiles_.empty() ||
         std::any_of(std::begin(processes_), std::end(processes_), is_used);
}

}  // namespace strut
