#include "dtrace/providers/live_probes.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace strut {
std::string LiveProbes::description_of(const DProbe& probe) {
  std::string name(probe.provider);
  for (std::string_view part : {probe.module, probe.function, probe.name}) name.append(":").append(part);
  return name;
}

void LiveProbes::add(uint32_t index, const DProbe& probe) {
  const DTrigger& trigger = probe.trigger;
  if (trigger.kind == DTrigger::Kind::Process) processes_[static_cast<size_t>(trigger.process)].push_back(index);
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
  using P = DTrigger::Process;
  auto is_asked_for = [&](P what) { return !of(what).empty(); };
  return !entries_.empty() || !returns_.empty() ||
         std::ranges::any_of(
             std::initializer_list<P>{P::Exec, P::ExecFailure, P::SignalSend, P::SignalClear, P::SignalDiscard},
             is_asked_for);
}

bool LiveProbes::any() const {
  auto is_used = [](const std::vector<uint32_t>& probes) { return !probes.empty(); };
  return !entries_.empty() || !returns_.empty() || !profiles_.empty() ||
         std::any_of(std::begin(processes_), std::end(processes_), is_used);
}

}  // namespace strut
