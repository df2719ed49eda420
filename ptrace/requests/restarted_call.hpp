// System calls that are made again after a signal or a stop, by the kernel or by strut.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "trace/probe_host.hpp"

namespace strut {

/// The values of the result register of a call that the kernel is going to restart (its own include/linux/errno.h).
enum RestartCode : int64_t {
  kRestartSys = -512,     ///< ERESTARTSYS
  kRestartNoIntr = -513,  ///< ERESTARTNOINTR
  kRestartNoHand = -514,  ///< ERESTARTNOHAND
  kRestartBlock = -516,   ///< ERESTART_RESTARTBLOCK: by restart_syscall(2)
};
bool is_restart_code(int64_t result);

/// Bytes of the instruction that makes a call: syscall, int $0x80, and the int $0x80 behind which sysenter returns.
inline constexpr uint64_t kCallInstructionBytes = 2;

/// Registers of a thread at a call's entry or exit: the next instruction is the one that makes the call.
void put_before_call(AllRegisters& registers);

/// Whether a signal is pending that would interrupt a call of this thread: if none is, a stop has. True for one that is
/// gone.
bool has_signal_to_deliver(Tid tid);

}  // namespace strut
