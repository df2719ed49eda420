/* Numbers as the pointers that they are, for nothing: each function of the kernel's costs some ten nanoseconds, that
 * which gives registers twice as much. What is read by them is checked as that function's pointers are.
 *
 * The loader puts bpf_rdonly_cast() (Linux 6.2) in the place of this function, and the ids of the kernel's types in
 * those of the numbers (object_loader.cpp, WIRE_CAST …). Where it has none, can_cast is 0, and no verifier comes here.
 */
#pragma once

#include "kassist/kernel/common/maps.bpf.h"

static void *(*const cast)(__u64 pointer, __u64 type) = (void *)WIRE_CAST;

/* The registers of the current thread, which a hook of system calls is called with. */
static __always_inline struct pt_regs *registers_at(__u64 pointer) {
  if (can_cast) return cast(pointer, WIRE_CAST_TO_REGISTERS);
  return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/* The current thread, whose mark this is. */
static __always_inline struct task_struct *lone_task(struct wire_mark *mark) {
  return can_cast ? cast(mark->task, WIRE_CAST_TO_TASK) : bpf_get_current_task_btf();
}
