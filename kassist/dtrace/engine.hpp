// The engine of D programs whose clauses run in the kernel: uprobes, tracepoints and timers of CPUs fire them.
#pragma once

#include <memory>

#include "dlang/machine/engine.hpp"
#include "trace/launch_watch.hpp"
#include "trace/unwinder.hpp"

namespace strut {

struct DKassistParts {
  std::unique_ptr<Unwinder> unwinder;  ///< of user stacks
  /// Empty: what a launched command maps is probed as soon as it is known of, while the command runs.
  MakeLaunchWatch launch_watch;
};

std::unique_ptr<DEngine> make_kassist_d_engine(DKassistParts parts);

}  // namespace strut
