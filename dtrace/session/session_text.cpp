#include "dtrace/session/session_text.hpp"

#include <algorithm>

#include <sys/wait.h>

#include "syscalls/signal_names.hpp"

namespace strut {
namespace {

struct DropRow {
  DDrops what;
  std::string_view tag, noun, reason;
};
constexpr DropRow kDrops[] = {
    {DDrops::Records, "DTRACEDROP_PRINCIPAL", "drop", ""},
    {DDrops::Aggregation, "DTRACEDROP_AGGREGATION", "aggregation drop", ""},
    {DDrops::DynamicVariable, "DTRACEDROP_DYNAMIC", "dynamic variable drop", ""},
    {DDrops::Stack, "DTRACEDROP_STKSTROVERFLOW", "stack drop", ""},
    {DDrops::Speculative, "DTRACEDROP_SPEC", "speculative drop", ""},
    {DDrops::DoubleError, "DTRACEDROP_DBLERROR", "error", " in ERROR probe enabling"},
    {DDrops::FailedSpeculation, "DTRACEDROP_SPECUNAVAIL", "failed speculation", " (no speculative buffer available)"},
};

}  // namespace

std::string fault_text(const DFaulted& faulted, uint32_t first_epid, const DProbe& probe, bool may_be_absent) {
  auto place = std::ranges::find(probe.clauses, faulted.clause) - probe.clauses.begin();
  std::string text = "error on enabled probe ID " + std::to_string(first_epid + static_cast<uint32_t>(place)) +
                     " (ID " + std::to_string(probe.id) + ": ";
  for (std::string_view field : {probe.provider, probe.module, probe.function}) text += std::string(field) + ':';
  text += std::string(probe.name) + "): " + describe(faulted.fault, faulted.address);
  text += faulted.statement == 0 ? std::string(" in predicate") : " in action #" + std::to_string(faulted.statement);
  return text + (may_be_absent ? "; its page may merely not be in memory" : "");
}

std::string drops_text(DDrops what, int cpu, uint64_t count, bool with_tag) {
  const DropRow& row = *std::ranges::find(kDrops, what, &DropRow::what);
  std::string text = with_tag ? '[' + std::string(row.tag) + "] " : std::string();
  text += std::to_string(count) + ' ' + std::string(row.noun) + (count == 1 ? "" : "s");
  if (cpu >= 0) text += " on CPU " + std::to_string(cpu);
  return text + std::string(row.reason);
}

std::string unheld_text(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " time" : " times") +
         " a process ran code that it had just mapped before it could be probed, for strut was busy: hits in it may be "
         "missing";
}

std::string ended_text(Pid pid, int status) {
  std::string text = "pid " + std::to_string(raw(pid));
  if (status == -1 || status == 0) return text + " has exited";
  if (WIFSIGNALED(status)) return text + " terminated by " + std::string(signal_name(WTERMSIG(status)));
  return text + " exited with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace strut
