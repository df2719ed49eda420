#include "dtrace/providers/target_modules.hpp"

#include <algorithm>

namespace strut {

const std::vector<PidModule>& TargetModules::of(Pid pid) {
  auto [known, is_new] = modules_.try_emplace(pid);
  if (!is_new) return known->second;
  auto target = std::ranges::find(targets_, pid, &DTarget::pid);
  bool is_command = target != targets_.end() && target->command;
  if (is_command) known->second = modules_to_come(*target->command, cache_);
  else if (auto mapped = modules_of(pid, cache_)) known->second = *std::move(mapped);
  return known->second;
}

}  // namespace strut
