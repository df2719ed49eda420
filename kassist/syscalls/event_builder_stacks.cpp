// User stacks of events, and the code of processes that they need.
#include <algorithm>

#include "kassist/syscalls/event_builder.hpp"
#include "kassist/transport/captured_stack.hpp"
#include "kassist/transport/seen_file.hpp"
#include "procfs/blocked_call.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

/// nullptr: none was captured. Valid until the next one.
const Stack* EventBuilder::unwound(FollowedThread& thread, const Order::Entry& entry) {
  if (!unwinder_) return nullptr;
  auto captured = CapturedStack::of(entry);
  if (!captured) return nullptr;
  stack_ = unwinder_->unwind(thread.pid, captured->registers(), *captured, request_.stack_frames);
  stack_.truncated = !stack_.cut && !stack_.whole && (captured->fell_short() || stack_.starved);
  return &stack_;
}

/// The stack at the entry, if there is one, is the call's. execve has both, except the launched command's.
void EventBuilder::keep_stack(FollowedThread& thread, const Order::Entry& entry) {
  if (!unwinder_ || thread.stack.kept()) return;
  const Stack* stack = unwound(thread, entry);
  if (!stack) return;
  stack_.of_new_program = thread.replaced;
  thread.stack.keep(stack_);
}

/// For a call in which the thread was when it was attached: its stack does not change until the thread returns from
/// there.
void EventBuilder::keep_stack_of(FollowedThread& thread, const wire_seed& seed) {
  if (!unwinder_) return;
  UserRegisters registers;
  std::ranges::copy(seed.registers.numbered, registers.begin());
  RemoteMemory memory(thread.tid);
  thread.stack.keep(unwinder_->unwind(thread.pid, registers, memory, request_.stack_frames));
  auto now = blocked_call(thread.tid);
  if (!now || now->sp != seed.regs[WIRE_SP] || now->ip != seed.ip) thread.stack.drop();
}

void EventBuilder::learn_code(RecordView record) {
  if (!unwinder_) return;
  const wire_record& header = record.header();
  Mapping mapping;
  mapping.start = Addr{header.code.start};
  mapping.end = Addr{header.code.end};
  mapping.offset = header.code.offset;
  mapping.executable = true;
  record.each_chunk([&](const ChunkView& chunk) {
    auto file = chunk.header->kind == WIRE_FILE ? seen_file(chunk.content) : std::nullopt;
    auto target = file ? target_of(*file, false) : std::nullopt;
    if (!target) return;
    mapping.inode = file->header.inode;
    mapping.path = target->path + (target->deleted ? " (deleted)" : "");
  });
  unwinder_->mapped(record.pid(), mapping);
}

void EventBuilder::learn_program(Pid pid, const wire_record& record) {
  unwinder_->nothing_mapped(pid);
  if (record.program.vdso != 0) unwinder_->vdso_mapped(pid, Addr{record.program.vdso});
}

}  // namespace strut
