// From registers and memory to the values of a function's call: core's decoder, with arguments where the ABI has them.
#pragma once

#include <array>
#include <cstdint>

#include "syscalls/decoder.hpp"
#include "syscalls/function.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// FunctionCall::call.error of a call that failed with an errno that was not captured.
inline constexpr int kErrnoUnseen = -1;

/// Finds the arguments of `call`, which has a `desc`, and decodes those that are known now; resets `out` first.
void decode_entry(FunctionCall& call, const EntryRegisters& registers, DecodeContext scene, DecodedCall& out);

/// Replaces decode_entry() for a call without a seen entry: it has no arguments.
void begin_unseen(FunctionCall& call, DecodedCall& out);

/// Completes `out` with the function's results. `error_number`: the thread's errno now, 0 if it was not captured;
/// it counts only where the result shows a failure. Failed calls have a DecodedCall::result, too.
void decode_return(FunctionCall& call, const ReturnRegisters& registers, int error_number, DecodeContext scene,
                   DecodedCall& out);

/// The description of functions that none is known of: so many arguments as ltrace shows, and a result.
const FunctionDesc& unknown_function();

}  // namespace strut
