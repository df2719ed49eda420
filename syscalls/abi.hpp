// The three system-call ABIs of an x86-64 kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strut {

/// x86-64 (syscall), i386 (int 0x80, and syscall/sysenter of 32-bit code), x32 (syscall with bit 30 of the number set).
enum class Abi : uint8_t { X86_64, I386, X32 };
inline constexpr size_t kAbiCount = 3;

/// Bit of %rax that marks an x32 call: __X32_SYSCALL_BIT of <asm/unistd.h>.
inline constexpr uint32_t kX32Bit = 0x40000000;

constexpr size_t pointer_bytes(Abi abi) { return abi == Abi::X86_64 ? 8 : 4; }

}  // namespace strut
