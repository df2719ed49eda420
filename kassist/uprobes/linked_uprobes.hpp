// The uprobes of all processes of the machine, as far as BPF links hold them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trace/uprobe_conflicts.hpp"

namespace strut {

/// A UprobeLister. The kernel lists links for CAP_SYS_ADMIN, and says what they hold since 6.8 (links of many uprobes)
/// and 6.6 (perf events); without either there are none here. Uprobes without links (perf record, tracefs) are not
/// listed. Costs one system call on a machine without links.
std::vector<UprobesInFile> linked_uprobes(const std::function<bool(const std::string& path)>& is_wanted);

}  // namespace strut
