/* Shared by the functions of D: tables, the memory of a run, loops.
 *
 * A function of D is called once for each instruction that names it, with the run and the instruction's operands: an
 * integer that is read as its value, one that is written as its register's number, a string as the place of its
 * register in d_run::texts. It returns 0 or a fault (strut::DFault). None is static: the verifier walks each
 * once, however often it is called, and knows nothing of its arguments; so places are masked, and sizes bounded, where
 * they are used.
 */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kassist/wire/dtrace_run.h"
#include "kassist/wire/caller_wire.h"
#include "kassist/kernel/common/around_types.h"

enum d_fault {
#define D_FAULT(fault, number, constant, value) number = value,
#include "dlang/language/faults.inc"
#undef D_FAULT
};

/* strut::kDScratchBase, kDWindowBytes: scratch, global variables in memory, those of the thread, and elements of arrays
 * have a window each, the last one as many as it needs. */
#define D_SCRATCH_BASE 0x0DEC000000000000ull
#define D_WINDOW (1ull << 24)

/* Set before loading, by their names (kassist/dtrace/library.cpp). */
const volatile __u32 text_bytes = 257;   /* strsize and a NUL */
const volatile __u32 stack_bytes = D_STACK_MOST;
const volatile __u32 wants_arguments = 1; /* a bit for each of arg0 … that is used */
const volatile __u32 finds_areas = 1;     /* area.bpf.h */
const volatile __u32 global_bytes = 0;    /* global variables that lie in memory */
const volatile __u32 thread_bytes = 0;    /* self-> variables that lie in memory */
const volatile __u32 thread_room = 1;     /* a power of two above that */
const volatile __u32 element_bytes = 0;   /* elements of arrays that lie in memory; a power of two */
const volatile __u32 has_windows = 0;     /* global_bytes, thread_bytes or element_bytes is not 0 */
const volatile __u32 clause_bytes = 0;    /* scratch that a firing begins with: this-> variables, and others' absence */
const volatile __u32 scratch_bytes = D_SCRATCH;
/* bpf_trace_run1() to bpf_trace_run12(), which run tracepoint programs; 0: no stacks are requested, or addresses are
 * hidden */
const volatile __u64 trace_run_start = 0, trace_run_end = 0;
const volatile struct wire_caller caller = {};

#include "kassist/kernel/common/numbering.bpf.h"

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1); /* D_RUNS_EACH for each CPU */
  __type(key, __u32);
  __type(value, struct d_run);
} runs SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1); /* CPUs */
  __type(key, __u32);
  __type(value, struct d_crowd);
} crowds SEC(".maps");

/* bpf_for_each_map_elem() over this is a loop that the verifier walks once. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, D_STEPS);
  __type(key, __u32);
  __type(value, __u32);
} steps SEC(".maps");

/* Global variables of structure and array types. An offset may be masked, and so many bytes of scratch copied to it. */
struct d_globals {
  __u8 bytes[D_GLOBALS + D_SCRATCH];
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct d_globals);
} global_memory SEC(".maps");

/* self-> variables of structure and array types: twice thread_room, so that so many bytes may be copied to an offset
 * that is masked. Made by strut, with that size; not there if no variable wants it. */
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u64);
} thread_memory SEC(".maps");

/* Elements of such types: element_bytes, and room for a copy behind an offset that is masked. The arrays themselves
 * have their places here. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, 8);
} element_memory SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4 << 20);
} ring SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, D_FIRST_PROBES);
  __type(key, __u32);
  __type(value, struct d_probe);
} first_probes SEC(".maps");
struct probe_chunk {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
  __uint(max_entries, 1); /* D_PROBES_EACH */
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct d_probe)); /* clang leaves the type itself out */
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint(max_entries, D_PROBE_CHUNKS);
  __type(key, __u32);
  __array(values, struct probe_chunk);
} probes SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, D_FIRST_NAMES);
} first_names SEC(".maps");
struct name_chunk {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
  __uint(max_entries, 1); /* D_NAMES_EACH / D_PAGE */
  __uint(key_size, sizeof(__u32));
  __uint(value_size, D_PAGE); /* no name is in two pages */
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint(max_entries, D_NAME_CHUNKS);
  __type(key, __u32);
  __array(values, struct name_chunk);
} names SEC(".maps");

/* Sites, as many elements as they have firings; a cookie's lower half is the first one's place. Its upper half is the
 * group: 0 is this map. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, D_FIRST_SITES);
  __type(key, __u32);
  __type(value, struct d_firing);
} first_sites SEC(".maps");
struct site_group {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
  __uint(max_entries, 1);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct d_firing));
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint(max_entries, D_GROUPS);
  __type(key, __u32);
  __array(values, struct site_group);
} sites SEC(".maps");

/* Arguments of statically defined probes. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, D_FIRST_OPERANDS);
  __type(key, __u32);
  __type(value, struct d_operand);
} first_operands SEC(".maps");
struct operand_chunk {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE | BPF_F_INNER_MAP);
  __uint(max_entries, 1); /* D_OPERANDS_EACH */
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct d_operand));
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
  __uint(max_entries, D_OPERAND_CHUNKS);
  __type(key, __u32);
  __array(values, struct operand_chunk);
} operands SEC(".maps");

/* Cookies of calls and process events; 0: nothing fires. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, D_EVENTS);
  __type(key, __u32);
  __type(value, __u64);
} events SEC(".maps");

/* By thread. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, D_WAITING);
  __type(key, __u32);
  __type(value, struct d_waiting);
} waiting SEC(".maps");

/* Threads with a seccomp filter: d_control::entries_seen when one last entered or left a call, times two, and one if it
 * is inside. */
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u64);
} filtered SEC(".maps");

/* Threads in repeated string instructions with probes. */
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct d_turn_of);
} turns SEC(".maps");

/* Watched memory. Made with room only where a program watches some. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 1);
  __type(key, struct d_watched_key);
  __type(value, struct d_watched);
} watched_memory SEC(".maps");

struct d_control control SEC(".data.control");

/* The initial value of new entries. */
const volatile __u8 zeros[D_SCRATCH] SEC(".rodata.zeros") = {};

/* -- loops -- */

typedef long d_turn(void *map, __u32 *key, __u32 *value, struct d_run **run);

static __always_inline void count_lost_hit(void) {
  __u32 cpu = bpf_get_smp_processor_id();
  struct d_crowd *crowd = bpf_map_lookup_elem(&crowds, &cpu);
  if (crowd) __sync_fetch_and_add(&crowd->lost, 1);
}

/* Turns until one returns 1. */
static __always_inline void turn(d_turn *what, struct d_run *run) {
  struct d_run *holder = run;
  bpf_for_each_map_elem(&steps, what, &holder, 0);
}

/* -- strings -- */

#define TEXT_MOST ((text_bytes & (D_TEXT_MOST * 2 - 1)) - 1)

/* An offset below `room`, a power of two. Masked at its use: the compiler drops a mask when a comparison of two
 * registers makes it redundant, but verifiers up to 6.12's do not follow that. */
static __always_inline __u64 within(__u64 room, __u64 at) {
  asm volatile("" : "+r"(at));
  return at & (room - 1);
}

static __always_inline struct d_text *text_at(struct d_run *run, __u32 place) {
  return (struct d_text *)&run->texts[place & (D_TEXT_AREA - 1)];
}
static __always_inline __u64 length_of(struct d_run *run, __u32 place) {
  return *(volatile __u32 *)&text_at(run, place)->length & (D_TEXT_MOST - 1);
}
static __always_inline __u8 *bytes_of(struct d_run *run, __u32 place) { return (__u8 *)(text_at(run, place) + 1); }

static __always_inline __u8 byte_of(struct d_run *run, __u32 place, __u64 at) {
  return bytes_of(run, place)[at & (D_TEXT_MOST - 1)];
}

/* Copies memory of the kernel, forwards. `bytes` is less than D_TEXT_MOST. */
static __always_inline void copy(void *to, __u64 bytes, const void *from) {
  bytes &= D_TEXT_MOST - 1;
  asm volatile("" : "+r"(bytes));
  bytes &= D_TEXT_MOST - 1;
  bpf_probe_read_kernel(to, bytes, from);
}

/* The register becomes these bytes, cut to its size. They may overlap the register. */
static __always_inline void set_text(struct d_run *run, __u32 place, const void *from, __u64 bytes) {
  if (bytes > TEXT_MOST) bytes = TEXT_MOST;
  copy(bytes_of(run, place), bytes, from);
  *text_at(run, place) = (struct d_text){bytes, 0};
}

static __always_inline void set_null(struct d_run *run, __u32 place) {
  *text_at(run, place) = (struct d_text){0, D_NULL};
}

/* The register becomes a string with a NUL in kernel memory. */
static __always_inline void set_kernel_text(struct d_run *run, __u32 place, const void *from) {
  long got = bpf_probe_read_kernel_str(bytes_of(run, place), text_bytes & (D_TEXT_MOST * 2 - 1), from);
  *text_at(run, place) = (struct d_text){got > 0 ? got - 1 : 0, 0};
}

/* -- words -- */

/* The first `bytes` bytes of a word in memory order, zeros behind them. */
static __always_inline __u64 first_bytes(__u64 word, __u64 bytes) {
  if (bytes >= 8) return word;
  return bytes ? word << (64 - bytes * 8) >> (64 - bytes * 8) : 0;
}

static __always_inline __u64 *integer(struct d_run *run, __u32 number) { return &run->r[number & (D_REGISTERS - 1)]; }
