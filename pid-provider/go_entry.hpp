// Where a function that Go's compiler made has been entered for good.
#pragma once

#include <cstdint>
#include <optional>

#include "pid-provider/control_flow.hpp"

namespace strut {

/// The instruction after a function's stack check: a goroutine without room calls runtime.morestack and begins the
/// function once more, on a larger stack, so that the first instruction runs twice. Until then it has written no memory
/// and no register that carries an argument, and %rsp is as it was at the call. The goroutine is in %r14, the bound of
/// its stack 16 or 24 bytes behind that (Go's ABI document, "Function call prologues"; code of Go 1.19). nullopt: the
/// function has no such check, or is also entered after it.
std::optional<uint64_t> behind_stack_check(const DecodedFunction& code);

}  // namespace strut
