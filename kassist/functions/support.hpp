// Which kinds of function probes work on this machine, and strut's alternatives to the others.
#pragma once

#include <vector>

#include "base/finding.hpp"

namespace strut {

/// Feature by feature, where check_kassist() has found nothing missing; arms one uprobe in a file of its own, and loads
/// the programs once. None is needed: without uprobes functions are traced by --backend=ptrace.
std::vector<Finding> check_kassist_functions();

}  // namespace strut
