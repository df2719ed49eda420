// What of a module's code says whether its calls of a function are all seen where it names that.
#pragma once

#include <algorithm>
#include <string_view>

#include "libcalls/modules/call_module.hpp"

namespace strut {

/// They return twice, or to another place: their own returns tell that better than what is behind their calls.
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
