// Which engine runs a D program: the user's word, or what is asked and what this machine permits.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "cli/common/own_options.hpp"
#include "cli/common/uprobe_permission.hpp"
#include "dlang/machine/engine.hpp"
#include "dtrace/providers/pid_probes.hpp"

namespace strut {

/// What a program wants of its engine.
enum class DNeeds : uint8_t {
  Nobody,  ///< BEGIN, END, ERROR, tick
  Processes,
  Code,  ///< of processes, probed
};

struct DWish {
  DNeeds needs = DNeeds::Nobody;
  UprobeLoad load;  ///< of its probes as uprobes
  UprobeWish uprobes;
};

/// Of probes as uprobes.
UprobeDemand uprobe_demand(const DCode& code);
std::vector<UprobeDemand> uprobe_demands(std::span<const PidFound> found);

/// Nobody: the interpreter alone, which costs nothing to start. Else kassist where nothing stands in its way, else
/// ptrace. Error: kassist was asked for, and something does; or its uprobes need to be permitted (backend_for()).
Result<std::unique_ptr<DEngine>> make_d_engine(const OwnOptions& own, const DWish& wish);

}  // namespace strut
