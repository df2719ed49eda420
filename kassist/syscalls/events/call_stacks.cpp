#include "kassist/syscalls/events/call_stacks.hpp"

#include <algorithm>

#include "kassist/transport/captured_stack.hpp"
#include "kassist/transport/seen_file.hpp"
#include "procfs/blocked_call.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

const Stack* CallStacks::unwind(FollowedThread& thread, const Order::Entry& entry) {
  if (!context_.unwinder) return nullptr;
  auto captured = CapturedStack::of(entry);
  if (!captured) return nullptr;
  stack_ = context_.unwinder->unwind(thread.pid, captured->registers(), *captured, context_.request.stack_frames);
  stack_.truncated = !stack_.cut && !stack_.whole && (captured->fell_short() || stack_.starved);
  return &stack_;
}

void CallStacks::keep(FollowedThread& thread, const Order::Entry& entry) {
  if (!context_.unwinder || thread.stack.kept()) return;
  const Stack* stack = unwind(thread, entry);
  if (!stack) return;
  stack_.of_new_program = thread.replaced;
  thread.stack.keep(stack_);
}

void CallStacks::keep_at_attach(FollowedThread& thread, const wire_seed& seed) {
  if (!context_.unwinder) return;
  UserRegisters registers;
  std::ranges::copy(seed.registers.numbered, registers.begin());
  RemoteMemory memory(thread.tid);
  thread.stack.keep(context_.unwinder->unwind(thread.pid, registers, memory, context_.request.stack_frames));
  auto now = blocked_call(thread.tid);
  if (!now || now->sp != seed.regs[WIRE_SP] || now->ip != seed.ip) thread.stack.drop();
}

void CallStacks::code_mapped(RecordView record) {
  if (!context_.unwinder) return;
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
  context_.unwinder->mapped(record.pid(), mapping);
}

void CallStacks::program_replaced(Pid pid, const wire_record& record) {
  if (!context_.unwinder) return;
  context_.unwinder->nothing_mapped(pid);
  if (record.program.vdso != 0) context_.unwinder->vdso_mapped(pid, Addr{record.program.vdso});
}

}  // namespace strut
