// The modules of a run's targets, for what the compiler asks about them.
#pragma once

#include <map>
#include <vector>

#include "dtrace/providers/pid_module.hpp"

namespace strut {

/// Looks into processes and commands when it is asked, once.
class TargetModules {
 public:
  void know(std::vector<DTarget> targets) { targets_ = std::move(targets); }
  /// None where the process is not there.
  const std::vector<PidModule>& of(Pid pid);
  /// The modules of all processes with a name that fits.
  std::vector<PidModule> of_all(const std::string& pattern) { return modules_of_all(pattern, cache_); }

 private:
  std::vector<DTarget> targets_;
  ModuleCache cache_;
  std::map<Pid, std::vector<PidModule>> modules_;
};

}  // namespace strut
