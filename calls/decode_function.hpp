// From registers and memory to the values of a function's call: core's decoder, with arguments where the ABI has them.
#pragma once

#include <array>
#include <cstdint>

#include "core/decoder.hpp"
#include "core/function.hpp"

namespace strut {

/// A thread's registers when a function's first instruction is about to run.
struct EntryRegisters {
  std::array<uint64_t, 6> integers{};   ///< %rdi, %rsi, %rdx, %rcx, %r8, %r9
  std::array<uint64_t, 8> floatings{};  ///< the low halves of %xmm0 to %xmm7
  bool has_floatings = false;           ///< false: they were not captured, and such arguments are unseen
  Addr stack{};                         ///< %rsp: the return address, with stack arguments behind it
};
/// The same when it has returned.
struct ReturnRegisters {
  uint64_t rax = 0, rdx = 0;
  std::array<uint64_t, 2> floatings{};  ///< %xmm0, %xmm1
  bool has_floatings = false;
};

/// FunctionCall::call.error of a call that failed with an errno that nobody saw.
inline constexpr int kErrnoUnseen = -1;

/// Finds the arguments of `call`, whose `desc` is set, and decodes what is known of them now; resets `out` first.
void decode_entry(FunctionCall& call, const EntryRegisters& registers, Scene scene, DecodedCall& out);

/// Completes `out` with what the function returned. `error_number`: the thread's errno now, 0 if it was not captured;
/// it counts only where the result says that the call failed. DecodedCall::result is there of failed calls too.
void decode_return(FunctionCall& call, const ReturnRegisters& registers, int error_number, Scene scene,
                   DecodedCall& out);

/// The description of functions that none is known of: so many arguments as ltrace shows, and a result.
const FunctionDesc& unknown_function();

}  // namespace strut
