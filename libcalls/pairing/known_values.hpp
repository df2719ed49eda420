// Values that people know instead of the structures that hold them: "text", [ 1, 2 ], nullopt.
#pragma once

#include "base/arena.hpp"
#include "syscalls/type.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// Whether a type has a layout of known_structures.hpp, or leads to one.
bool has_known_values(const Type& type);

/// The value with such structures replaced, however deep they lie in it. `type` described it. New parts are in the
/// arena; all others remain the value's.
Value as_known(const Type& type, const Value& value, Arena& arena);

}  // namespace strut
