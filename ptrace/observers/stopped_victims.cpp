#include "ptrace/observers/stopped_victims.hpp"

#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/restarted_call.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {

namespace {

/// A tracee at the entry of a call: the call is skipped, and the next instruction is the one that makes it.
void leave_out_call(Tid tid) {
  constexpr uint64_t kNoCall = ~0ull;
  AllRegisters registers;
  if (!read_all_registers(tid, registers)) return;
  put_before_call(registers);
  registers[kOrigRax] = kNoCall;
  write_all_registers(tid, registers);
}

}  // namespace

bool is_to_be_stopped(const Tracee& tracee, const SyscallInfo& info, const StopOn& stop_on) {
  const Call& call = tracee.call;
  bool reported = tracee.visibility != Visibility::Hidden && !tracee.is_bystander();
  if (!reported || !stop_on.calls.contains(call.abi, call.nr)) return false;
  bool never_returns = (call.desc->classes & kNeverReturns) != 0;
  return info.op == (never_returns ? PTRACE_SYSCALL_INFO_ENTRY : PTRACE_SYSCALL_INFO_EXIT);
}

void stop_next(Tracee& tracee) {
  if (tracee.place() == Place::Inside) {
    leave_out_call(tracee.tid);
    tracee.move_to(Place::Outside);
    tracee.wanted = false;
  }
  tracee.to_be_abandoned = true;
  ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), SIGSTOP);
}

void send_again(const Tracee& tracee, const siginfo_t& info) {
  if (!fault_of(info)) ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), info.si_signo);
}

}  // namespace strut
