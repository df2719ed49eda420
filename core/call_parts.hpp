// socketcall(2) and ipc(2) of i386 carry other calls, and are told as those.
#pragma once

#include "core/call.hpp"
#include "core/memory.hpp"

namespace strut {

/// The parts' numbers in the table: these plus the command.
inline constexpr uint32_t kSocketcallParts = kFirstPart;
inline constexpr uint32_t kIpcParts = kFirstPart + 32;

/// Turns a socketcall or ipc into the call it carries: number, description and registers. socketcall's arguments are read
/// from memory; where they cannot be, and for unknown commands, the call stays what it is. To be asked at every enter.
/// ipc's part has the registers that followed the command (first, second, third, ptr, fifth).
void resolve_part(Call& call, Memory& memory);

/// The number that the kernel was given: 102 or 117 for parts, with kX32Bit for x32.
uint32_t kernel_number(const Call& call);

}  // namespace strut
