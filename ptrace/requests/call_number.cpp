#include "ptrace/requests/call_number.hpp"

#include <algorithm>

#include <linux/audit.h>
#include <sys/mman.h>

namespace strut {

void take_number(Call& call, const SyscallInfo& info) {
  uint32_t nr = static_cast<uint32_t>(info.entry.nr);
  if (info.arch == AUDIT_ARCH_I386) set_number(call, Abi::I386, nr);
  else if ((nr & kX32Bit) != 0 && nr != UINT32_MAX) set_number(call, Abi::X32, nr & ~kX32Bit);
  else set_number(call, Abi::X86_64, nr);
}

void note_entry(Call& call, const SyscallInfo& info) {
  take_number(call, info);
  std::copy_n(info.entry.args, kRegisters, call.regs.begin());
  call.ip = info.instruction_pointer;
}

bool maps_code(const Call& call) {
  constexpr size_t kProtection = 2;
  const Effects& effects = call.effects();
  return effects.have(kMapsCode) && (effects.have(kArgumentsInMemory) || (call.regs[kProtection] & PROT_EXEC) != 0);
}

}  // namespace strut
