#include "ptrace/requests/restarted_call.hpp"

#include "procfs/process_status.hpp"
#include "ptrace/requests/all_registers.hpp"

namespace strut {

bool is_restart_code(int64_t result) {
  return result == kRestartSys || result == kRestartNoIntr || result == kRestartNoHand || result == kRestartBlock;
}

void put_before_call(AllRegisters& registers) {
  registers[kRip] -= kCallInstructionBytes;
  registers[kRax] = registers[kOrigRax];
}

bool has_signal_to_deliver(Tid tid) {
  auto status = process_status(tid);
  return !status || ((status->pending | status->process_pending) & ~status->blocked) != 0;
}

}  // namespace strut
