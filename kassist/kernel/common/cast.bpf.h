/* Turns numbers into pointers at no cost: a kernel function costs some ten nanoseconds, the one that returns
 * registers twice as much. Reads through them are checked like those of that function's pointers.
 *
 * The loader puts bpf_rdonly_cast() (Linux 6.2) in the place of this function, and the ids of the kernel's types in
 * those of the numbers (object_loader.cpp, WIRE_CAST …). Where the kernel has none, can_cast is 0, and the verifier
 * never reaches it. */
#pragma once

#include "kassist/kernel/common/maps.bpf.h"

static void *(*const cast)(__u64 pointer, __u64 type) = (void *)WIRE_CAST;

/* The registers of the current thread, which a hook of system calls is called with. */
static __always_inline struct pt_regs *registers_at(__u64 pointer) {
  if (can_cast) return cast(pointer, WIRE_CAST_TO_REGISTERS);
  return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/* The current thread, which owns this mark. */
static __always_inline struct task_struct *lone_task(struct wire_mark *mark) {
  return can_cast ? cast(mark->task, WIRE_CAST_TO_TASK) : bpf_get_current_task_btf();
}
