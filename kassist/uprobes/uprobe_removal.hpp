// Whether this kernel still takes uprobes out.
#pragma once

#include <optional>

#include "base/result.hpp"

namespace strut {

/// A thread that died in the kernel at a uprobe (an oops, by a kernel bug) blocks every process that removes any
/// uprobe: for ever, and uninterruptibly. Only a kernel that reports an oops is tried, by a child that may be left
/// behind: up to two seconds. nullopt: it takes them out.
std::optional<Error> uprobe_obstacle();

}  // namespace strut
