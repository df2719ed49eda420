#include "dtrace/session/session_arming.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "procfs/exited.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {
namespace {

/// A path through /proc led to a process that has exited, or a link was to be to that process.
bool is_of_exited_process(const Error& error) {
  return error.code == ENOENT || error.code == ESRCH || error.code == ENOTDIR;
}

}  // namespace

/// False: it is not to go on, a signal asks the run to end.
bool SessionArming::has_armed(size_t sites) {
  sites_armed_ += sites;
  consumer_.arming(sites_armed_, std::max(sites_armed_, sites_wanted_));
  return !consumer_.is_interrupted();
}

Result<void> SessionArming::arm(const DCode& code) {
  auto refused = engine_.arm(code, [this](size_t sites) { return has_armed(sites); });
  if (!refused) return fail(refused.error());
  note_refusals(code, *refused);
  return {};
}

/// Code that was seen in a process that has exited since: another process may have the same file mapped. If none has,
/// there is no code to probe.
Result<void> SessionArming::arm_if_mapped(DCode& code) {
  auto armed = arm(code);
  if (armed || !is_of_exited_process(armed.error())) return armed;
  if (code.pid && has_exited(*code.pid)) return {};
  code.path = path_through_any_process(code.device, code.inode);
  if (code.path.empty()) return {};
  armed = arm(code);
  return armed || is_of_exited_process(armed.error()) ? Result<void>{} : armed;
}

Result<void> SessionArming::arm_found(PidFound& found) {
  if (consumer_.is_interrupted()) return {};
  auto first = probes_.count();
  for (DFiring& firing : found.code.firings) firing.probe += first;
  for (FoundWatch& watch : found.watches) {
    watch.probe += first;
    watches_.push_back(watch);
  }
  TRY_VOID(probes_.add(std::move(found.probes)));
  return found.code.sites.empty() ? Result<void>{} : arm_if_mapped(found.code);
}

void SessionArming::could_not_watch(const Error& error) {
  has_failed_ = true;
  consumer_.complain(describe(error));
}

/// A command that has not begun has none of the memory: it is watched when its code has been mapped.
Result<void> SessionArming::watch_memory(Pid pid) {
  if (std::ranges::none_of(watches_, [pid](const FoundWatch& watch) { return watch.pid == pid; })) return {};
  std::vector<DWatch> ranges = enabling_.ranges_in(pid, watches_);
  return ranges.empty() ? Result<void>{} : engine_.watch(pid, ranges);
}

Result<void> SessionArming::arm_all_found(std::span<const Pid> running) {
  auto all = std::exchange(enabling_.found(), {});
  for (const PidFound& found : all) sites_wanted_ += found.code.sites.size();
  for (PidFound& found : all) TRY_VOID(arm_found(found));
  for (Pid pid : running) TRY_VOID(watch_memory(pid));
  consumer_.armed();
  return {};
}

/// Probes found before the command ran are armed by now or, at the latest, here.
void SessionArming::arm_new_code(Pid pid) {
  for (PidFound& found : enabling_.find_new(pid)) {
    if (!is_permitted(pid, found.code)) continue;
    if (auto armed = arm_found(found); !armed)
      consumer_.complain("failed to probe code that process " + std::to_string(raw(pid)) +
                         " has mapped: " + describe(armed.error()));
  }
  if (auto watched = watch_memory(pid); !watched) could_not_watch(watched.error());
  for (const std::string& note : enabling_.take_notes()) consumer_.complain(note);
  consumer_.armed();
  if (!enabling_.shortage().empty()) report_shortage(pid, enabling_.shortage());
}

bool SessionArming::is_permitted(Pid pid, const DCode& code) {
  if (!permits_ || permits_(code)) return true;
  report_shortage(pid,
                  "with the uprobes of " + code.path +
                      " each exec on this machine would be slower by more than 20 %. -x maxprobes=N permits N of them, "
                      "--backend=ptrace does without");
  return false;
}

/// Once: later requests fail alike.
void SessionArming::report_shortage(Pid pid, const std::string& shortage) {
  if (said_shortage_) return;
  said_shortage_ = true;
  consumer_.complain("not all probes of code that process " + std::to_string(raw(pid)) +
                     " has mapped are there: " + shortage);
}

void SessionArming::note_refusals(const DCode& code, const std::vector<DRefusal>& refusals) {
  refused_ += refusals.size();
  if (refusals.empty() || !first_refusal_.empty() || refusals[0].site >= code.sites.size()) return;
  const DSite& site = code.sites[refusals[0].site];
  const DProbe& probe = probes_[code.firings[site.first].probe];
  first_refusal_ = std::string(probe.module) + ':' + std::string(probe.function) + ':' + std::string(probe.name) +
                   ": " + refusals[0].why;
}

void SessionArming::report_refusals() {
  if (refused_ == 0) return;
  consumer_.complain(std::to_string(refused_) + (refused_ == 1 ? " instruction" : " instructions") +
                     " cannot be probed; the first: " + first_refusal_);
}

}  // namespace strut
