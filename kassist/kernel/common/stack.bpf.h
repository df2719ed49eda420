/* User stacks: registers and the bytes from the stack pointer up, for an unwinder outside; and where code comes to lie.
 */
#pragma once

#include "kassist/kernel/common/area.bpf.h"
#include "kassist/kernel/common/numbered.bpf.h"
#include "kassist/kernel/syscalls/capture.bpf.h"

struct vm_area_struct;

/* Flavours (libbpf: what follows ___ is ignored) with the members used here. */
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
  unsigned long sas_ss_sp, sas_ss_size;
} RELOCATED;
struct file___mode {
  unsigned int f_mode;
} RELOCATED;
struct inode___device {
  struct {
    unsigned int s_dev;
  } *i_sb;
} RELOCATED;
/* For a file system upon another one: the mapped file, and the name by which it was opened (Linux 6.5). */
struct backing_file {
  struct path user_path;
} RELOCATED;

enum {
  CODE_PAGE_SHIFT = 12,
  FILE_IS_BACKING = 1 << 25, /* FMODE_BACKING of <linux/fs.h> */
  MAY_EXECUTE = 4,           /* PROT_EXEC */
  STACK_CHUNKS = 64,         /* WIRE_STACK_MAX and one more for the page that the stack pointer is in */
  MOST_FRAMES = 256,
  STACK_TOP = 1024,          /* copied of every stack: code that usually has no frame pointer (libc) is innermost */
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

/* Functions of their own, with frames that are not part of the deepest path: kernels before 6.13 give all of it 512
 * bytes. The end of the stack at `sp`, as far as it is known: the initial thread's is below its arguments, others
 * end with their mapping. */
__noinline __u64 stack_end(__u64 sp) {
  __u64 end = sp + stack_bytes, first = BPF_CORE_READ(own_memory(), start_stack);
  struct area area = {};
  find_area(bpf_get_current_task_btf(), sp, note_area, &area);
  if (area.end > sp && area.end < end) end = area.end;
  if (first > sp && first < end && first < area.end) end = first;
  return end;
}

struct stack_copy {
  struct scratch *scratch;
  struct wire_mark *mark;
  __u64 at, end;
};

/* To the end of the page; 1: that was the last one. One that is not present was never touched, as a rule: a large array
 * lies there. */
static long copy_page(void *map, __u32 *key, __u32 *value, struct stack_copy *copy) {
  __u64 bytes = left_in_page(copy->at);
  if (*key >= STACK_CHUNKS || copy->at >= copy->end) return 1;
  if (bytes > copy->end - copy->at) bytes = copy->end - copy->at;
  append_memory(copy->scratch, copy->mark, copy->at, bytes, 0);
  copy->at += bytes;
  return 0;
}

__noinline int append_bytes(struct scratch *scratch, struct wire_mark *mark, __u64 at, __u64 end) {
  struct stack_copy copy = {scratch, mark, at, end};
  bpf_for_each_map_elem(&steps, copy_page, &copy, 0);
  return 0;
}

/* From frame to frame. The bytes below `copied` are in the record already. A frame: the caller's frame pointer, and
 * the return address. */
struct frame_walk {
  struct stack_copy copy;
  __u64 copied;
  __u32 word; /* bytes of one */
};
static long copy_frame(void *map, __u32 *key, __u32 *value, struct frame_walk *walk) {
  __u64 at = walk->copy.at, next = 0, from = at > walk->copied ? at : walk->copied, end = at + 2 * walk->word;
  if (*key >= MOST_FRAMES || at & (walk->word - 1) || end > walk->copy.end) return 1;
  if (bpf_probe_read_user(&next, walk->word == 4 ? 4 : 8, (void *)at)) return 1;
  if (from < end) {
    append_memory(walk->copy.scratch, walk->copy.mark, from, end - from, 0);
    walk->copied = end;
  }
  walk->copy.at = next;
  return next <= at;  /* outwards is upwards */
}

/* The top, the frames, and the bytes after the last one: the first function of a thread keeps no frame pointer. */
static __always_inline void append_frames(struct scratch* scratch, struct wire_mark* mark, __u64 sp, __u64 frame,
                                          __u64 end) {
  __u32 word = mark->abi == ABI_I386 ? 4 : 8;
  struct frame_walk walk = {{scratch, mark, frame, end}, sp + STACK_TOP < end ? sp + STACK_TOP : end, word};
  append_bytes(scratch, mark, sp, walk.copied);
  if (frame >= sp) bpf_for_each_map_elem(&steps, copy_frame, &walk, 0);
  append_bytes(scratch, mark, walk.copied, walk.copied + STACK_TOP < end ? walk.copied + STACK_TOP : end);
}

/* The part of a signal frame (struct rt_sigframe of the kernel, asm/ucontext.h): the alternate stack of
 * sigaltstack(2), and the interrupted stack pointer. */
enum { SIGNAL_FRAME_BYTES = 440, SIGNAL_FRAME_STACK = 24, SIGNAL_FRAME_SP = 168 };
struct alternate_stack {
  __u64 base, flags, size;
};

/* For a handler on its alternate stack: the interrupted stack pointer. 0: there is no such handler. The kernel puts
 * the extended state at the very top, on a multiple of 64, and below it the frame, as the ABI aligns stacks at a
 * function's entry. */
__noinline __u64 interrupted_stack(__u64 sp) {
  struct task_struct___code *task = (void *)bpf_get_current_task();
  __u64 base = BPF_CORE_READ(task, sas_ss_sp), size = BPF_CORE_READ(task, sas_ss_size), interrupted = 0;
  if (!signal_state_bytes || !size || sp <= base || sp - base > size) return 0;
  __u64 state = (base + size - signal_state_bytes) & ~63ull, frame = ((state - SIGNAL_FRAME_BYTES) & ~15ull) - 8;
  struct alternate_stack noted = {};
  bpf_probe_read_user(&noted, sizeof(noted), (void *)(frame + SIGNAL_FRAME_STACK));
  if (noted.base != base || noted.size != size) return 0;
  bpf_probe_read_user(&interrupted, sizeof(interrupted), (void *)(frame + SIGNAL_FRAME_SP));
  return interrupted;
}

/* Appends where a stack lies, before its bytes. */
static __always_inline struct wire_chunk* begin_stack(struct scratch* scratch, struct wire_mark* mark, __u64 sp,
                                                      __u64 end) {
  make_room(scratch, mark);
  struct wire_chunk *chunk = (struct wire_chunk *)&scratch->bytes[scratch->used & (WIRE_RECORD_MAX - 1)];
  chunk->at = end;
  chunk->missed = end == sp + stack_bytes;
  return chunk;
}

static __always_inline void append_interrupted(struct scratch *scratch, struct wire_mark *mark, __u64 sp) {
  __u64 end = stack_end(sp);
  struct wire_chunk *chunk = begin_stack(scratch, mark, sp, end);
  chunk->kind = WIRE_INTERRUPTED;
  chunk->asked = chunk->bytes = sizeof(sp);
  *(__u64 *)(chunk + 1) = sp;
  end_chunk(scratch, sizeof(sp));
  scratch->phase = WIRE_STACK;
  append_bytes(scratch, mark, sp, frames_only && end > sp + STACK_TOP ? sp + STACK_TOP : end);
}

/* Appends registers and stack of the current thread, as they were when it left user space. */
__noinline int append_stack(struct scratch *scratch, struct wire_mark *mark) {
  if (!scratch || !mark || !stack_bytes) return 0;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  __u64 end = stack_end(regs->sp), interrupted = interrupted_stack(regs->sp);
  struct wire_chunk *chunk = begin_stack(scratch, mark, regs->sp, end);
  struct wire_registers *to = (struct wire_registers *)(chunk + 1);
  chunk->kind = WIRE_REGISTERS;
  chunk->asked = chunk->bytes = sizeof(*to);
  number_registers(to, regs);
  end_chunk(scratch, sizeof(*to));
  scratch->phase = WIRE_STACK;
  if (frames_only) append_frames(scratch, mark, regs->sp, regs->bp, end);
  else append_bytes(scratch, mark, regs->sp, end);
  if (interrupted) append_interrupted(scratch, mark, interrupted);
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

/* Reports the mapping of the current process that contains an address. */
__noinline int report_code_at(struct wire_mark *mark, __u64 address) {
  if (!mark || !stack_bytes) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  struct area area = {};
  if (find_area(task, address, note_area, &area) || !area.end) return 0;
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  scratch->record.code.start = area.start;
  scratch->record.code.end = area.end;
  scratch->record.code.offset = area.offset;
  if (area.file) append_mapped_file(scratch, mark, area.file);
  send(scratch, mark, WIRE_MAPPED);
  return 0;
}

/* Unmapping need not be reported: no code runs there, and later mappings are reported. */
static __always_inline int may_make_code(struct wire_mark *mark, long result) {
  if (!stack_bytes || (unsigned long)result >= -(unsigned long)LARGEST_ERROR || !is_followed(mark)) return 0;
  return maps_code(mark->abi, mark->nr);
}

/* The protection that the call asked for. Arguments in memory are 32-bit words. */
static __always_inline __u64 asked_protection(struct wire_mark *mark) {
  __u32 protection = 0;
  if (!has_arguments_in_memory(mark->abi, mark->nr)) return argument(mark->abi, 2);
  bpf_probe_read_user(&protection, sizeof(protection), (void *)(argument(mark->abi, 0) + 2 * sizeof(protection)));
  return protection;
}

/* Where a call that has returned `result` maps code, or makes memory executable. */
static __always_inline __u64 place_of_code(struct wire_mark *mark, long result) {
  if (!returns_mapping(mark->abi, mark->nr)) return argument(mark->abi, 0);
  return (__u32)mark->abi == ABI_I386 ? (__u32)result : (__u64)result;
}

/* A call that maps code has returned in the current thread. */
__noinline int report_code(struct wire_mark *mark, long result) {
  if (!mark || !stack_bytes || !(asked_protection(mark) & MAY_EXECUTE)) return 0;
  return report_code_at(mark, place_of_code(mark, result));
}

/* For a new program: its own code and its dynamic linker's. */
static __always_inline void report_program(struct wire_mark *mark) {
  if (!stack_bytes) return;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  __u64 own = BPF_CORE_READ(own_memory(), start_code), first = regs->ip;
  report_code_at(mark, first);
  report_code_at(mark, own);
}

static __always_inline __u64 vdso_of_program(void) {
  return stack_bytes ? (__u64)BPF_CORE_READ(own_memory(), context.vdso) : 0;
}
