/* User stacks: registers and the bytes from the stack pointer up, for an unwinder outside; and where code comes to lie. */
#pragma once

#include "kassist/kernel/capture.bpf.h"

struct vm_area_struct;

/* Flavours (libbpf: what follows ___ is ignored) with what is looked at here. */
struct vm_area_struct___code {
  unsigned long vm_start, vm_end, vm_pgoff;
  struct file *vm_file;
} RELOCATED;
struct mm_struct___code {
  unsigned long start_code, start_stack;
  struct {
    void *vdso;
  } context;
} RELOCATED;
struct task_struct___code {
  struct mm_struct___code *mm;
} RELOCATED;
struct file___mode {
  unsigned int f_mode;
} RELOCATED;
struct inode___device {
  struct {
    unsigned int s_dev;
  } *i_sb;
} RELOCATED;
/* Of a file system upon another one: the file that is mapped, and the name by which it was opened (Linux 6.5). */
struct backing_file {
  struct path user_path;
} RELOCATED;

enum {
  CODE_PAGE_SHIFT = 12,
  FILE_IS_BACKING = 1 << 25, /* FMODE_BACKING of <linux/fs.h> */
  MAY_EXECUTE = 4,           /* PROT_EXEC */
  STACK_CHUNKS = 64,         /* WIRE_STACK_MAX and one more for the page that the stack pointer is in */
  NR_MMAP = 9, NR_MPROTECT = 10, NR_PKEY_MPROTECT = 329,
};

static __always_inline struct mm_struct___code *own_memory(void) {
  struct task_struct___code *task = (void *)bpf_get_current_task();
  return BPF_CORE_READ(task, mm);
}

/* A mapping. */
struct area {
  __u64 start, end, offset;
  __u64 file; /* struct file */
};

/* -- stacks --------------------------------------------------------------------------------------- */

static long note_area(struct task_struct *task, struct vm_area_struct *area, struct area *found) {
  struct vm_area_struct___code *code = (void *)area;
  found->start = BPF_CORE_READ(code, vm_start);
  found->end = BPF_CORE_READ(code, vm_end);
  found->offset = BPF_CORE_READ(code, vm_pgoff) << CODE_PAGE_SHIFT;
  found->file = (__u64)BPF_CORE_READ(code, vm_file);
  return 0;
}

/* Where the stack ends that is at `sp`, as far as can be told: the initial thread's below its arguments, others with their
 * mapping. */
static __always_inline __u64 stack_end(__u64 sp) {
  __u64 end = sp + stack_bytes, first = BPF_CORE_READ(own_memory(), start_stack);
  struct area area = {};
  bpf_find_vma(bpf_get_current_task_btf(), sp, note_area, &area, 0);
  if (area.end > sp && area.end < end) end = area.end;
  if (first > sp && first < end && first < area.end) end = first;
  return end;
}

struct stack_copy {
  struct scratch *scratch;
  struct wire_mark *mark;
  __u64 at, end;
};

/* To the end of the page; 1: that was the last one. One that is not present was never touched, as a rule: a large array lies
 * there. */
static long copy_page(void *map, __u32 *key, __u32 *value, struct stack_copy *copy) {
  __u64 bytes = left_in_page(copy->at);
  if (*key >= STACK_CHUNKS || copy->at >= copy->end) return 1;
  if (bytes > copy->end - copy->at) bytes = copy->end - copy->at;
  append_memory(copy->scratch, copy->mark, copy->at, bytes, 0);
  copy->at += bytes;
  return 0;
}

/* Appends registers and stack of the current thread, as they were when it left user space. */
__noinline int append_stack(struct scratch *scratch, struct wire_mark *mark) {
  if (!scratch || !mark || !stack_bytes || mark->abi == ABI_I386) return 0;
  make_room(scratch, mark);
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  struct wire_chunk *chunk = (struct wire_chunk *)&scratch->bytes[scratch->used & (WIRE_RECORD_MAX - 1)];
  struct wire_registers *to = (struct wire_registers *)(chunk + 1);
  __u64 end = stack_end(regs->sp);
  chunk->at = end;
  chunk->kind = WIRE_REGISTERS;
  chunk->missed = end == regs->sp + stack_bytes;
  chunk->asked = chunk->bytes = sizeof(*to);
  *to = (struct wire_registers){{regs->ax, regs->dx, regs->cx, regs->bx, regs->si, regs->di, regs->bp, regs->sp, regs->r8,
                                 regs->r9, regs->r10, regs->r11, regs->r12, regs->r13, regs->r14, regs->r15, regs->ip}};
  end_chunk(scratch, sizeof(*to));
  scratch->phase = WIRE_STACK;
  struct stack_copy copy = {scratch, mark, regs->sp, end};
  bpf_for_each_map_elem(&steps, copy_page, &copy, 0);
  return 0;
}

/* -- code ----------------------------------------------------------------------------------------- */

static __always_inline void append_mapped_file(struct scratch *scratch, struct wire_mark *mark, __u64 address) {
  struct path path = {};
  struct file *file = (struct file *)address;
  struct file___mode *mode = (void *)file;
  bpf_core_read(&path, sizeof(path), &file->f_path);
  if (bpf_core_type_exists(struct backing_file) && (BPF_CORE_READ(mode, f_mode) & FILE_IS_BACKING)) {
    struct backing_file *backing = (void *)file;
    bpf_core_read(&path, sizeof(path), &backing->user_path);
  }
  append_file(scratch, mark, -1, &path);
}

/* Tells of the mapping of the current process that an address is in. */
__noinline int tell_code_at(struct wire_mark *mark, __u64 address) {
  if (!mark || !stack_bytes) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  struct area area = {};
  if (bpf_find_vma(task, address, note_area, &area, 0) || !area.end) return 0;
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  scratch->record.regs[0] = area.start;
  scratch->record.regs[1] = area.end;
  scratch->record.regs[2] = area.offset;
  if (area.file) append_mapped_file(scratch, mark, area.file);
  send(scratch, mark, WIRE_MAPPED);
  return 0;
}

/* What is unmapped need not be told: nobody runs there, and what comes to be there later is. */
static __always_inline int may_make_code(struct wire_mark *mark, long result) {
  if (!stack_bytes || mark->abi == ABI_I386 || (unsigned long)result >= -(unsigned long)LARGEST_ERROR) return 0;
  return is_followed(mark) && (mark->nr == NR_MMAP || mark->nr == NR_MPROTECT || mark->nr == NR_PKEY_MPROTECT);
}

/* Such a call of the current thread has returned. */
__noinline int tell_code(struct wire_mark *mark, long result) {
  if (!mark || !stack_bytes || !(argument(mark->abi, 2) & MAY_EXECUTE)) return 0;
  return tell_code_at(mark, mark->nr == NR_MMAP ? (__u64)result : argument(mark->abi, 0));
}

/* Of a new program: its own code and its dynamic linker's. */
static __always_inline void tell_program(struct wire_mark *mark) {
  if (!stack_bytes) return;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  __u64 own = BPF_CORE_READ(own_memory(), start_code), first = regs->ip;
  tell_code_at(mark, first);
  tell_code_at(mark, own);
}

static __always_inline __u64 vdso_of_program(void) {
  return stack_bytes ? (__u64)BPF_CORE_READ(own_memory(), context.vdso) : 0;
}
