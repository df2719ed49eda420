// socketcall(2) and ipc(2) of i386 carry other calls, and are reported as those; so is its select(2) of one argument.
#pragma once

#include "base/memory.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// The parts' numbers in the table: these plus the command.
inline constexpr uint32_t kSocketcallParts = kFirstPart;
inline constexpr uint32_t kIpcParts = kFirstPart + 32;
inline constexpr uint32_t kSelectPart = kFirstPart + 64;

/// Turns a socketcall or ipc into the call it carries: number, description and registers. Arguments of socketcall and
/// of the old select are read from memory; where they cannot be, and for unknown commands, the call stays unchanged. To
/// be called at every enter. ipc's part has the registers that followed the command (first, second, third, ptr, fifth).
void resolve_part(Call& call, Memory& memory);

/// The number that the kernel was given: 82, 102 or 117 for parts, with kX32Bit for x32.
uint32_t kernel_number(const Call& call);

}  // namespace strut
