// A library's function, and the modules that may have a pointer to it.
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

/// For each function, whether a module may have a pointer to it. `looks_up`: it can request one by name, itself or
/// through another module; such a name is among its strings. Names that are composed at run time are not found.
std::vector<bool> pointed_to(const CallModule& by, std::span<const OfferedFunction> functions, bool looks_up);

}  // namespace strut
