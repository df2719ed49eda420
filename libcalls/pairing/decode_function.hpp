// From registers and memory to the values of a function's call: core's decoder, with arguments where the ABI has them.
#pragma once

#include <array>
#include <cstdint>

#include "syscalls/decoder.hpp"
#include "syscalls/function.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// FunctionCall::call.error of a call that failed with an errno that nobody saw.
inline constexpr int kErrnoUnseen = -1;

/// Finds the arguments of `call`, whose `desc` is set, and decodes what is known of them now; resets `out` first.
void decode_entry(FunctionCall& call, const EntryRegisters& registers, Scene scene, DecodedCall& out);

/// In the stead of decode_entry() for a call whose entry nobody saw: it has no arguments.
void begin_unseen(FunctionCall& call, DecodedCall& out);

/// Completes `out` with what the function returned. `error_number`: the thread's errno now, 0 if it was not captured;
/// it counts only where the result says that the call failed. DecodedCall::result is there of failed calls too.
void decode_return(FunctionCall& call, const ReturnRegisters& registers, int error_number, Scene scene,
                   DecodedCall& out);

/// The description of functions that none is known of: so many arguments as ltrace shows, and a result.
const FunctionDesc& unknown_function();

}  // namespace strut
