// DSession: from the descriptions' modules to armed probes, at the beginning and whenever a process maps code.
#include <algorithm>
#include <cerrno>

#include "dtrace/session/session.hpp"
#include "procfs/process_status.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {
namespace {

/// A path through /proc led to a process that has exited, or a link was to be to that process.
bool is_of_exited_process(const Error& error) {
  return error.code == ENOENT || error.code == ESRCH || error.code == ENOTDIR;
}

bool has_exited(Pid pid) {
  auto status = process_status(leader_of(pid));
  return !status || (status->state == 'Z' && status->threads <= 1);
}

}  // namespace

Result<void> DSession::make_known(std::vector<DProbe> probes) {
  if (probes.empty()) return {};
  known_.push_back(std::move(probes));
  probes_.reserve(probes_.size() + known_.back().size());
  for (const DProbe& probe : known_.back()) {
    probes_.push_back(&probe);
    first_epid_.push_back(next_epid_);
    next_epid_ += static_cast<uint32_t>(probe.clauses.size());
  }
  counts_.probes += known_.back().size();
  return engine_.add_probes(known_.back());
}

/// False: it is not to go on, a signal asks the run to end.
bool DSession::has_armed(size_t sites) {
  sites_armed_ += sites;
  consumer_.arming(sites_armed_, std::max(sites_armed_, sites_wanted_));
  return !consumer_.is_interrupted();
}

Result<void> DSession::arm(const DCode& code) {
  auto refused = engine_.arm(code, [this](size_t sites) { return has_armed(sites); });
  if (!refused) return fail(refused.error());
  note_refusals(code, *refused);
  return {};
}

/// Code that was seen in a process that has exited since: another process may have the same file mapped. If none has,
/// there is no code to probe.
Result<void> DSession::arm_if_mapped(DCode& code) {
  auto armed = arm(code);
  if (armed || !is_of_exited_process(armed.error())) return armed;
  if (code.pid && has_exited(*code.pid)) return {};
  code.path = path_through_any_process(code.device, code.inode);
  if (code.path.empty()) return {};
  armed = arm(code);
  return armed || is_of_exited_process(armed.error()) ? Result<void>{} : armed;
}

Result<void> DSession::arm_found(PidFound& found) {
  if (consumer_.is_interrupted()) return {};
  auto first = static_cast<uint32_t>(probes_.size());
  for (DFiring& firing : found.code.firings) firing.probe += first;
  TRY_VOID(make_known(std::move(found.probes)));
  return arm_if_mapped(found.code);
}

/// A process that was there when its code was looked at may have exited since: that is its end, and not an error.
Result<void> DSession::attach(Pid pid) {
  auto attached = engine_.attach(pid, *this);
  if (!attached) {
    if (!enabling_.has_looked_at(pid) || !has_exited(pid)) return attached;
    ended(pid, -1);
    return {};
  }
  if (names_addresses_) symbolizer_.remember(pid);
  return {};
}

Result<void> DSession::watch_targets() {
  for (Pid pid : request_.attach) living_.push_back(pid);
  for (const HeldCommand& command : request_.commands) living_.push_back(command.pid());
  has_targets_ = !living_.empty();
  std::vector<Pid> attached = request_.attach;
  for (Pid pid : enabling_.processes())
    if (std::ranges::find(living_, pid) == living_.end()) attached.push_back(pid);
  engine_.prepare_attach(attached);
  for (Pid pid : attached) TRY_VOID(attach(pid));
  auto all = std::exchange(enabling_.found(), {});
  for (const PidFound& found : all) sites_wanted_ += found.code.sites.size();
  for (PidFound& found : all) TRY_VOID(arm_found(found));
  consumer_.armed();
  if (consumer_.is_interrupted()) return {};
  engine_.open();
  for (HeldCommand& command : request_.commands) TRY_VOID(engine_.launch(std::move(command), *this));
  request_.commands.clear();
  return {};
}

/// Probes found before the command ran are armed by now or, at the latest, here.
void DSession::code_changed(Pid pid) {
  if (names_addresses_) symbolizer_.remember(pid);
  for (PidFound& found : enabling_.find_new(pid)) {
    if (!is_permitted(pid, found.code)) continue;
    if (auto armed = arm_found(found); !armed)
      consumer_.complain("failed to probe code that process " + std::to_string(raw(pid)) +
                         " has mapped: " + describe(armed.error()));
  }
  for (const std::string& note : enabling_.take_notes()) consumer_.complain(note);
  consumer_.armed();
  if (!enabling_.shortage().empty()) say_shortage(pid, enabling_.shortage());
}

bool DSession::is_permitted(Pid pid, const DCode& code) {
  if (!request_.permits || request_.permits(code)) return true;
  say_shortage(pid,
               "with the uprobes of " + code.path +
                   " each exec on this machine would be slower by more than 20 %. -x maxprobes=N permits N of them, "
                   "--backend=ptrace does without");
  return false;
}

/// Once: later requests fail alike.
void DSession::say_shortage(Pid pid, const std::string& shortage) {
  if (said_shortage_) return;
  said_shortage_ = true;
  consumer_.complain("not all probes of code that process " + std::to_string(raw(pid)) +
                     " has mapped are there: " + shortage);
}

void DSession::note_refusals(const DCode& code, const std::vector<DRefusal>& refusals) {
  counts_.refused += refusals.size();
  if (refusals.empty() || !first_refusal_.empty() || refusals[0].site >= code.sites.size()) return;
  const DSite& site = code.sites[refusals[0].site];
  const DProbe& probe = *probes_[code.firings[site.first].probe];
  first_refusal_ = std::string(probe.module) + ':' + std::string(probe.function) + ':' + std::string(probe.name) +
                   ": " + refusals[0].why;
}

void DSession::say_refusals() {
  if (counts_.refused == 0) return;
  consumer_.complain(std::to_string(counts_.refused) + (counts_.refused == 1 ? " instruction" : " instructions") +
                     " cannot be probed; the first: " + first_refusal_);
}

}  // namespace strut
