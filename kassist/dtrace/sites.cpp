#include "kassist/dtrace/sites.hpp"

#include <algorithm>
#include <optional>

#include "kassist/dtrace/arming.hpp"
#include "kassist/uprobes/code_uprobes.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "trace/breakpoint_event.hpp"

namespace strut {
namespace {

Result<void> check_registers(std::span<const DProbe> probes) {
  auto watches = [](const DProbe& probe) { return probe.trigger.kind == DTrigger::Kind::Watch; };
  auto registers = static_cast<size_t>(std::ranges::count_if(probes, watches));
  auto obstacle = registers != 0 ? breakpoint_obstacle(registers) : std::nullopt;
  return obstacle ? fail(*std::move(obstacle)) : Result<void>{};
}

}  // namespace

Result<void> DSites::add_probes(std::span<const DProbe> probes) {
  TRY_VOID(check_registers(probes));
  TRY_VOID(kernel_.add_probes(probes));
  TRY_VOID(hooks_.attach(kernel_));
  for (const DProbe& probe : probes) {
    uint32_t number = probes_++;
    if (probe.trigger.kind == DTrigger::Kind::Profile)
      TRY_VOID(hooks_.add_profile(kernel_, number, probe.trigger.interval_ns));
    if (probe.trigger.kind == DTrigger::Kind::Tracepoint)
      TRY_VOID(hooks_.add_tracepoint(kernel_, number, probe.trigger.tracepoint));
  }
  return {};
}

Result<std::vector<DRefusal>> DSites::arm(const DCode& code, const DArmingStep& step) {
  std::vector<uint64_t> cookies = TRY(kernel_.add_code(code));
  if (armed_ == 0)
    if (std::optional<Error> obstacle = uprobe_obstacle()) return fail(std::move(*obstacle));
  std::optional<int> clauses = TRY(kernel_.program(DHook::Uprobe));
  UprobeRequest request = uprobes_for(code, UprobeRequest::When::Executed,
                                      [&](const DSite&, size_t site) { return std::optional(cookies[site]); });
  if (!clauses || request.points.empty()) return refusals_of(code, {});
  if (stacks_) report_displacements(code);
  Uprobes& armed = uprobes_[code.pid ? raw(*code.pid) : 0];
  size_t before = armed.armed();
  std::vector<RefusedUprobe> refused = TRY(armed.arm(*clauses, mechanism_, request, step));
  armed_ += armed.armed() - before;
  return refusals_of(code, refused);
}

/// A uprobe of a function's entry may sit some instructions further. A stack taken there is that of the entry.
void DSites::report_displacements(const DCode& code) {
  for (const DSite& site : code.sites) {
    if (!site.uprobe_offset || *site.uprobe_offset == site.file_offset) continue;
    for (const DFiring& firing : std::span(code.firings).subspan(site.first, site.count))
      if (firing.kind == DFiring::Kind::Entry)
        stacks_->sits_behind(firing.probe, *site.uprobe_offset - site.file_offset);
  }
}

}  // namespace strut
