#include "ptrace/observers/stack_taker.hpp"

#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

const Stack* StackTaker::take(Tracee& tracee) {
  UserRegisters registers;
  if (!wanted() || !read_registers(tracee.tid, registers)) return nullptr;
  return &unwinder_->unwind(tracee.pid, registers, tracee.memory, limit_);
}

const Stack* StackTaker::take(const Tracee& tracee, const AllRegisters& registers, Memory& memory) {
  return wanted() ? &unwinder_->unwind(tracee.pid, user_registers(registers), memory, limit_) : nullptr;
}

void StackTaker::code_changed(Pid pid) {
  if (wanted()) unwinder_->modules_changed(pid);
}

void StackTaker::gone(Pid pid) {
  if (wanted()) unwinder_->gone(pid);
}

void StackTaker::at_enter(Tracee& tracee) {
  if (!wanted()) return;
  tracee.stack.drop();
  if (tracee.visibility != Visibility::Shown) return;
  if (const Stack* stack = take(tracee)) tracee.stack.keep(*stack);
}

const Stack* StackTaker::at_exit(Tracee& tracee) {
  if (!wanted()) return nullptr;
  if (const Stack* kept = tracee.stack.kept()) return kept;
  const Stack* stack = tracee.call.returned ? take(tracee) : nullptr;
  if (!stack) return nullptr;
  new_program_ = *stack;
  new_program_.of_new_program = true;
  return &new_program_;
}

void StackTaker::after_call(const Tracee& tracee) {
  if (wanted() && (tracee.call.desc->classes & kMemory) != 0) unwinder_->modules_changed(tracee.pid);
}

void StackTaker::after_exec(const Tracee& tracee) { code_changed(tracee.pid); }

}  // namespace strut
