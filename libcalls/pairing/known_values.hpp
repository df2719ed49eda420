// Values that people know instead of the structures that hold them: "text", [ 1, 2 ], nullopt.
#pragma once

#include "base/arena.hpp"
#include "syscalls/type.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// Whether a type has a layout of known_structures.hpp, or leads to one.
bool has_known_values(const Type& type);

/// The value as people know it, wherever in it there is such a structure. `type` described it. What is made is in the
/// arena; all else is the value's.
Value as_known(const Type& type, const Value& value, Arena& arena);

}  // namespace strut
