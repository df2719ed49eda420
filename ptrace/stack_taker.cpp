#include "ptrace/stack_taker.hpp"

#include "ptrace/control.hpp"

namespace strut {

const Stack* StackTaker::take(Tracee& tracee) {
  UserRegisters registers;
  if (!wanted() || tracee.last_abi == Abi::I386 || !read_registers(tracee.tid, registers)) return nullptr;
  return &unwinder_->unwind(tracee.pid, registers, tracee.memory, limit_);
}

void StackTaker::after_call(const Tracee& tracee) {
  if (wanted() && (tracee.call.desc->classes & kMemory) != 0) unwinder_->modules_changed(tracee.pid);
}

void StackTaker::after_exec(const Tracee& tracee) {
  if (wanted()) unwinder_->modules_changed(tracee.pid);
}

}  // namespace strut
