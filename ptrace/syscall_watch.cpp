#include "ptrace/syscall_watch.hpp"

#include <algorithm>

#include <linux/audit.h>

#include "core/argument_rules.hpp"
#include "core/call_parts.hpp"
#include "core/filter.hpp"

namespace strut {

namespace {

constexpr uint64_t kLargestError = 4095;  // MAX_ERRNO of the kernel: restart codes included

/// Number and ABI as the kernel dispatches: by the architecture of the entry and bit 30 of the number.
void take_number(Call& call, const SyscallInfo& info) {
  uint32_t nr = static_cast<uint32_t>(info.entry.nr);
  call.abi = Abi::X86_64;
  if (info.arch == AUDIT_ARCH_I386) {
    call.abi = Abi::I386;
  } else if ((nr & kX32Bit) != 0 && static_cast<int32_t>(nr) >= 0) {
    call.abi = Abi::X32;
    nr &= ~kX32Bit;
  }
  call.nr = nr;
  const SyscallDesc* desc = find_syscall(call.abi, nr);
  call.desc = desc ? desc : &unknown_syscall();
}

void take_result(Call& call, const SyscallInfo& info) {
  int64_t value = info.exit.rval;
  if (call.abi == Abi::I386) value = static_cast<int32_t>(value);
  call.returned = true;
  call.result = value;
  call.error = info.exit.is_error && static_cast<uint64_t>(-value) <= kLargestError ? static_cast<int>(-value) : 0;
}

}  // namespace

Result<void> SyscallWatch::at_stop(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) {
  switch (info.op) {
    case PTRACE_SYSCALL_INFO_ENTRY:
    case PTRACE_SYSCALL_INFO_SECCOMP:
      tracee.system_time_at_enter_ns = system_time_ns;
      return enter(tracee, info);
    case PTRACE_SYSCALL_INFO_EXIT:
      tracee.call.system_time_ns = system_time_ns - tracee.system_time_at_enter_ns;
      return leave(tracee, info);
    default: return {};
  }
}

Result<void> SyscallWatch::enter(Tracee& tracee, const SyscallInfo& info) {
  Call& call = tracee.call;
  take_number(call, info);
  tracee.place = Place::Inside;
  tracee.announced = false;
  tracee.last_nr = kernel_number(call);
  tracee.last_abi = call.abi;
  std::copy_n(info.entry.args, kRegisters, call.regs.begin());
  resolve_part(call, tracee.memory);
  tracee.wanted = tracee.visibility == Visibility::Shown && request_.calls.contains(call.abi, call.nr);
  if (!tracee.wanted) return {};
  call.pid = tracee.pid;
  call.tid = tracee.tid;
  call.ip = info.instruction_pointer;
  call.sp = info.stack_pointer;
  call.returned = false;
  call.tampering = 0;
  call.error = 0;
  call.entered = now();
  if (request_.decode_arguments) {
    decode_enter(call, scene(tracee), tracee.decoded);
    tracee.wanted = touches(request_, call, scene(tracee), tracee.decoded);
    if (!tracee.wanted) return {};
  }
  if (call.desc->custom != decode_resumed) call.interrupted = call.desc;
  if (!request_.status.all()) return {};
  tracee.announced = true;
  TRY_VOID(teller_.tell(tracee, call.entered, call.ip, EnterEvent{&call, &tracee.decoded}));
  if (call.desc->classes & kNeverReturns) {
    tracee.wanted = false;
    return tell_exit(tracee, call.entered);
  }
  return {};
}

Result<void> SyscallWatch::leave(Tracee& tracee, const SyscallInfo& info) {
  if (tracee.place == Place::Outside) return {};
  tracee.place = Place::Outside;
  if (!tracee.wanted) return {};
  tracee.wanted = false;
  Call& call = tracee.call;
  take_result(call, info);
  call.ip = info.instruction_pointer;
  call.sp = info.stack_pointer;
  call.left = now();
  return tell_exit(tracee, call.left);
}

Result<void> SyscallWatch::tell_exit(Tracee& tracee, const Moment& at) {
  if (!passes(request_.status, tracee.call)) return {};
  if (request_.decode_arguments) {
    decode_exit(tracee.call, scene(tracee), tracee.decoded);
    unseen_ += tracee.decoded.unseen;
  }
  return teller_.tell(tracee, at, tracee.call.ip, ExitEvent{&tracee.call, &tracee.decoded});
}

Result<void> SyscallWatch::at_death(Tracee& tracee, const Moment& at) {
  if (tracee.place == Place::Outside || !tracee.wanted) return {};
  tracee.place = Place::Outside;
  tracee.wanted = false;
  tracee.call.left = at;
  return tell_exit(tracee, at);
}

}  // namespace strut
