#include "dtrace/session/session_probes.hpp"

namespace strut {

Result<void> SessionProbes::add_own(std::vector<DProbe> probes) {
  own_ = static_cast<uint32_t>(probes.size());
  return add(std::move(probes));
}

Result<void> SessionProbes::add(std::vector<DProbe> probes) {
  if (probes.empty()) return {};
  known_.push_back(std::move(probes));
  probes_.reserve(probes_.size() + known_.back().size());
  for (const DProbe& probe : known_.back()) {
    probes_.push_back(&probe);
    first_epid_.push_back(next_epid_);
    next_epid_ += static_cast<uint32_t>(probe.clauses.size());
  }
  return engine_.add_probes(known_.back());
}

std::vector<uint32_t> SessionProbes::named(std::string_view name) const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < own_; i++)
    if (probes_[i]->provider == "dtrace" && probes_[i]->name == name) found.push_back(i);
  return found;
}

}  // namespace strut
