// Whether this kernel still takes uprobes out.
#pragma once

#include <optional>

#include "base/result.hpp"

namespace strut {

/// A thread that died in the kernel at a uprobe (an oops; bugs of its own are enough) is waited for by everybody who
/// takes any uprobe out: for ever, and where no signal reaches. Only a kernel that says that something died in it is
/// tried, by a child that may be left behind: up to two seconds. nullopt: it takes them out.
std::optional<Error> uprobe_obstacle();

}  // namespace strut
