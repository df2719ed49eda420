// Which arguments a call has and which registers hold them: its row, the row of its command, and its ABI together.
#pragma once

#include <array>
#include <cstdint>

#include "syscalls/abi.hpp"
#include "syscalls/syscall.hpp"
#include "syscalls/type.hpp"

namespace strut {

/// One argument of one call. Its index in ArgPlan::args is the one that lengths and custom decoders name.
struct PlannedArg {
  const ArgType* type;
  uint8_t reg;   ///< first register; of a function's argument its place in FunctionArguments::values
  bool paired;   ///< `reg` holds the low, `reg + 1` the high half of 64 bits (i386)
  bool present;  ///< false: this call does not have it (ArgType::when)
};

struct ArgPlan {
  std::array<PlannedArg, kMaxDecodedArgs> args;  ///< the first `count` are there
  uint8_t count = 0;
  const Type* result = nullptr;
  AuxDecode aux = nullptr;  ///< the command's, or the call's
};

/// Where an argument comes from in this call. A 64-bit number takes two registers on i386 (System V ABI), else one.
ArgPlan plan_args(const Call& call);

/// The row of a multiplexer's command, nullptr if the call has no commands or this one has no row.
const CommandRow* command_of(const Call& call);

/// The number of registers that the call takes: those that -e raw shows.
size_t registers_of(const SyscallDesc& desc, Abi abi);

/// The value that register `index` passes to the call: x32's own calls take 32 bits of it. 0 beyond the last register.
/// For a function call the value of argument `index`.
uint64_t register_of(const Call& call, size_t index);

/// The value of a planned argument: narrowed to its type's width, sign-extended where the type is signed.
uint64_t value_of(const PlannedArg& arg, const Call& call);

/// The ABI with the widths of registers: x32's are as wide as x86-64's, though a long in memory is 4 bytes.
constexpr Abi register_abi(Abi abi) { return abi == Abi::X32 ? Abi::X86_64 : abi; }

/// `bits` as a type of this width holds them in this ABI: cut to the width, sign-extended where the type is signed.
uint64_t narrowed(const Type& type, uint64_t bits, Abi abi);

}  // namespace strut
