// A library's function, and who else may have a pointer to it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "libcalls/modules/scope.hpp"

namespace strut {

struct OfferedFunction {
  Definition at;
  std::vector<std::string_view> names;  ///< all that its library offers it by
};

OfferedFunction offered_function(const Definition& at);

/// Of each function, whether a module may have a pointer to it. `looks_up`: it can ask for one by name, itself or by
/// what another module does for it; then that is done with names among its strings. Names that are put together when it
/// runs are not found.
std::vector<bool> pointed_to(const CallModule& by, std::span<const OfferedFunction> functions, bool looks_up);

}  // namespace strut
