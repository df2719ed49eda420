// The code of TrapGuard, as it lies in a target, and its parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace strut {

/// struct sigaction as rt_sigaction(2) takes it on x86-64 (asm/signal.h of the kernel).
struct KernelAction {
  uint64_t handler = 0;
  uint64_t flags = 0;
  uint64_t restorer = 0;
  uint64_t mask = 0;
};

/// Data that the code reads, at its end: written by the tracer.
struct TrapGuardData {
  uint64_t program_handler = 0;  ///< for the program's own action; 0 SIG_DFL, 1 SIG_IGN
  /// Areas of kSlotAreaBytes that have out-of-line instructions; 0: unused.
  std::array<uint64_t, 8> slot_areas{};
  KernelAction action;  ///< the arguments of rt_sigaction(2)
  /// Not 0: the tracer is dead, and its breakpoints are removed. Until then a thread that has hit an int3 waits.
  uint64_t is_restored = 0;
};

/// In si_errno of a SIGTRAP that the living tracer knows to be the program's own. The handler clears it.
inline constexpr int kOwnTrap = 0x0cc0cc0c;

/// The high half of si_perf_data of the signals of strut's breakpoints of memory. The handler ignores them: their event
/// is gone when the tracer is dead. And its place in siginfo_t.
inline constexpr uint32_t kBreakpointMark = 0x57a7c0de;
inline constexpr size_t kPerfDataPlace = 24;

/// Positions in the code, in bytes from its start.
struct TrapGuardPlaces {
  size_t handler, restorer, call, data;
};

/// Position-independent, its data included.
std::span<const std::byte> trap_guard_code();
TrapGuardPlaces trap_guard_places();

/// The data that the code at TrapGuardPlaces::call expects at %rsp, and from which it restores the thread if the tracer
/// does not stop it after its system call: the call's result buffer first, then the saved registers.
struct CallFrame {
  std::array<std::byte, 32> buffer{};
  uint64_t blocked = 0;  ///< signals
  uint64_t r15 = 0, r14 = 0, r13 = 0, r12 = 0, rbp = 0, rbx = 0, r11 = 0, r10 = 0, r9 = 0, r8 = 0, rax = 0, rcx = 0,
           rdx = 0, rsi = 0, rdi = 0;
  uint64_t flags = 0;
  uint64_t ip = 0;
};
/// The frame lies below the red zone (System V ABI for x86-64, 3.2.2).
inline constexpr uint64_t kRedZoneBytes = 128;

/// The resume flag (SDM, volume 3, 17.3.1.1): it has no effect on a program, and is in a signal frame's flags. The
/// tracer sets it with every change of registers at an int3, so that the handler knows a thread that has been moved on.
inline constexpr uint64_t kResumeFlag = 1 << 16;

}  // namespace strut
