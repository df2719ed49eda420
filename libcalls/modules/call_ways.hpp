// Properties of a module's code that decide whether all its calls of a function are seen at its named calls.
#pragma once

#include <algorithm>
#include <string_view>

#include "libcalls/modules/call_module.hpp"

namespace strut {

/// They return twice, or elsewhere: their own returns show that better than the instructions after their calls.
inline constexpr std::string_view kReturningOddly[] = {"setjmp", "_setjmp",    "__sigsetjmp", "sigsetjmp",
                                                       "vfork",  "getcontext", "swapcontext"};

inline bool returns_oddly(std::string_view name) {
  return std::ranges::find(kReturningOddly, name) != std::end(kReturningOddly);
}

/// The module leaves for it by a jump.
inline bool is_jumped_to(const CallModule& caller, const Import& import) {
  return std::ranges::find(caller.outward_jumps(), &import, &OutwardJump::import) != caller.outward_jumps().end();
}

}  // namespace strut
