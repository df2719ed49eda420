// The engine of D programs with clauses in the kernel, fired by uprobes, tracepoints and CPU timers.
#pragma once

#include <functional>
#include <memory>

#include "base/ids.hpp"
#include "dlang/machine/engine.hpp"
#include "trace/launch_watch.hpp"
#include "trace/unwinder.hpp"

namespace strut {

struct DKassistParts {
  std::unique_ptr<Unwinder> unwinder;  ///< for user stacks
  /// Empty: the code of a launched command is probed as soon as its mapping is known, while the command runs.
  MakeLaunchWatch launch_watch;
  /// Stops all threads of a process until the result is destroyed, by this thread. nullptr: they cannot be stopped.
  std::function<std::shared_ptr<void>(Pid)> hold{};
};

std::unique_ptr<DEngine> make_kassist_d_engine(DKassistParts parts);

}  // namespace strut
