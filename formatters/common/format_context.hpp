// What a format other than a tool's own text is made from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "formatters/common/output.hpp"

namespace strut {

/// The run, as traces for programs describe it.
struct RunFacts {
  std::string version;            ///< strut's
  std::string tool;               ///< "strace"
  std::vector<std::string> argv;  ///< strut's command line
  Pid self{};                     ///< strut as users know it
  /// The parent of a process at this moment; Pid{}: the process is gone.
  std::function<Pid(Pid)> parent_of = [](Pid) { return Pid{}; };
};

struct FormatContext {
  std::shared_ptr<Output> log;
  RunFacts facts;
  bool only_counts = false;  ///< -c: events are counted and not shown
};

}  // namespace strut
