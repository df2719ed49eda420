/* The arguments of a new program: the last copy of execve's strings, if their pages were not present. */
#pragma once

#include "kassist/kernel/syscalls/capture.bpf.h"

/* Flavours (libbpf: what follows ___ is ignored) with the members used here. */
struct mm_struct___strings {
  unsigned long arg_start, arg_end, env_start, env_end;
} RELOCATED;
struct task_struct___strings {
  struct mm_struct___strings *mm;
} RELOCATED;
struct linux_binprm___names {
  const char *filename;
  const char *interp;
} RELOCATED;

enum { PROGRAM_CHUNKS = 8, PROGRAM_NAME_MAX = 4096 };

/* Appends the strings of the current process's arguments and environment, and says where they are. */
__noinline int append_strings(struct scratch *scratch, struct wire_mark *mark) {
  if (!scratch || !mark) return 0;
  struct task_struct___strings *task = (void *)bpf_get_current_task();
  struct mm_struct___strings *mm = BPF_CORE_READ(task, mm);
  __u64 at = BPF_CORE_READ(mm, arg_start), end = BPF_CORE_READ(mm, env_end);
  scratch->record.program.strings = at;
  scratch->record.program.arguments_end = BPF_CORE_READ(mm, arg_end);
  scratch->record.program.environment_end = end;
  scratch->phase = WIRE_MEMORY;
  for (int i = 0; i < PROGRAM_CHUNKS; i++) {
    if (at >= end) break;
    append_memory(scratch, mark, at, end - at, 0);
    at += WIRE_CHUNK_MAX;
  }
  return 0;
}

/* Appends execve's arguments from the new program's memory: its strings, and the name, which the kernel keeps. */
static __always_inline void append_new_program(struct scratch* scratch, struct wire_mark* mark,
                                               struct linux_binprm* binprm) {
  struct linux_binprm___names *names = (void *)binprm;
  __u64 name = (__u64)BPF_CORE_READ(names, filename);
  append_strings(scratch, mark);
  scratch->record.program.is_script = name != (__u64)BPF_CORE_READ(names, interp);
  struct wire_chunk *chunk = new_chunk(scratch, mark);
  long got = bpf_probe_read_kernel_str(chunk + 1, PROGRAM_NAME_MAX, (void *)name);
  chunk->at = 0;
  chunk->kind = WIRE_PROGRAM;
  chunk->missed = 0;
  chunk->asked = PROGRAM_NAME_MAX;
  chunk->bytes = got < 0 ? 0 : got;
  end_chunk(scratch, chunk->bytes);
}
