// Whether the ptrace backend works on this machine, and for which users.
#pragma once

#include <vector>

#include "base/finding.hpp"

namespace strut {

/// Tries each kernel feature that the backend uses on a child of its own, and reads the limits of attaching to other
/// processes. Leaves no process behind.
std::vector<Finding> check_ptrace();

/// Why attaching to others is limited here (Yama's ptrace_scope, ptrace(2)); state Works: nothing limits it but users.
Finding check_yama();

}  // namespace strut
