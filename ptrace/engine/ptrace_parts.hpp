// Parts of other rooms that the ptrace backend works with.
#pragma once

#include <memory>

#include "trace/unwinder.hpp"
#include "trace/uprobe_conflicts.hpp"

namespace strut {

struct PtraceParts {
  std::unique_ptr<Unwinder> unwinder{};  ///< for requests that want stacks; nullptr: there are none then
  UprobeLister list_uprobes{};           ///< for requests that trace functions; null: no conflict is reported
};

}  // namespace strut
