/* Built-in variables, arguments and registers of the thread that the probe is at. */
#pragma once

#include "kassist/kernel/dtrace/path_walk.bpf.h"
#include "kassist/kernel/dtrace/memory.bpf.h"
#include "kassist/kernel/dtrace/types.h"

/* strut itself makes the call for BEGIN, END, ERROR and ticks; the pid that users know may be that process's parent:
 * then this is its id, else 0. */
static __always_inline __u32 known_parent(struct d_run *run) {
  return run->hook == D_OF_STRUT && control.known != own_tgid() ? control.known : 0;
}

static __always_inline struct task_struct___d *own_task(struct d_run *run) {
  struct task_struct___d *task = (void *)bpf_get_current_task();
  return known_parent(run) ? BPF_CORE_READ(task, real_parent) : task;
}

/* Commands and children of system() have the process for a parent that users know as strut. */
static __always_inline __u32 parent_number(struct task_struct___d *task) {
  __u32 parent = visible_number(tgid_of_other(BPF_CORE_READ(task, real_parent)));
  return parent == control.left_out ? control.known : parent;
}

#define D_BUILTIN(name, value)                                     \
  __noinline int d_builtin_##name(struct d_run *run, __u32 to) {   \
    if (!run) return D_OK;                                         \
    struct task_struct___d *task = own_task(run);                     \
    *integer(run, to) = (value);                                   \
    return D_OK;                                                   \
  }

/* Values that the kernel cannot provide: a program that names one is refused. */
D_BUILTIN(Caller, (void *)task ? 0 : 0)
D_BUILTIN(Cpu, ((void)task, bpf_get_smp_processor_id()))
D_BUILTIN(Curthread, (__u64)task)
D_BUILTIN(Errno, ((void)task, run->result))
D_BUILTIN(Gid, BPF_CORE_READ(task, cred, gid.val))
D_BUILTIN(Id, ((void)task, run->self.id))
D_BUILTIN(Ipl, (void *)task ? 0 : 0)
D_BUILTIN(Pid, ((void)task, known_parent(run) ?: own_tgid()))
D_BUILTIN(Ppid, parent_number(task))
D_BUILTIN(Tid, ((void)task, known_parent(run) ?: own_tid()))
D_BUILTIN(Timestamp, ((void)task, run->time_ns))
D_BUILTIN(Uid, BPF_CORE_READ(task, cred, uid.val))
D_BUILTIN(Walltimestamp, ((void)task, run->time_ns + control.wall_offset_ns))

/* The time since the scheduler last accounted for this thread: at most a tick. The scheduler uses its own clock,
 * which no program can read: it excludes interrupts and time that a hypervisor took, and is not adjusted. Its lag is
 * the least that was seen on this CPU, as it is just after a context switch, and grows by a sixty-fourth of the time
 * at most. */
enum { D_APART_GROWS = 6, D_LONGEST_TICK_NS = 10000000 };
static __always_inline __u64 since_booked(struct task_struct___d *task) {
  __u32 cpu = bpf_get_smp_processor_id();
  struct d_crowd *crowd = bpf_map_lookup_elem(&crowds, &cpu);
  if (!crowd) return 0;
  __u64 now = bpf_ktime_get_ns();
  __s64 seen = now - BPF_CORE_READ(task, se.exec_start), apart = crowd->apart + ((now - crowd->at_ns) >> D_APART_GROWS);
  if (!crowd->at_ns || seen < apart || seen > apart + D_LONGEST_TICK_NS) apart = seen;
  crowd->apart = apart;
  crowd->at_ns = now;
  return seen - apart;
}

/* CPU time: the time that the scheduler has accounted for, and the time since then. */
D_BUILTIN(Vtimestamp, BPF_CORE_READ(task, se.sum_exec_runtime) + since_booked(task))

static __always_inline __u32 bits_in(__u64 word) {
  word -= word >> 1 & 0x5555555555555555ull;
  word = (word & 0x3333333333333333ull) + (word >> 2 & 0x3333333333333333ull);
  return ((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56;
}

/* The number of the enabling: of the probe's first clause, and how many of the others come before this one. */
__noinline int d_builtin_Epid(struct d_run *run, __u32 to) {
  if (!run) return D_OK;
  __u64 epid = run->self.first_epid;
  __u32 clause = run->clause;
  for (__u32 i = 0; i < D_CLAUSE_WORDS; i++) {
    __u64 word = run->self.clauses[i];
    if (clause < i * 64) break;
    if (clause < i * 64 + 64) word &= (1ull << (clause & 63)) - 1;
    epid += bits_in(word);
  }
  *integer(run, to) = epid;
  return D_OK;
}

/* At a function's entry and at its return instructions the return address lies on top of the stack. */
__noinline int d_builtin_Ucaller(struct d_run *run, __u32 to) {
  if (!run) return D_OK;
  __u64 address = 0;
  if (run->kind == D_ENTRY || run->kind == D_RETURN) {
    if (bpf_probe_read_user(&address, sizeof(address), (void *)run->sp)) address = 0;
  }
  *integer(run, to) = address;
  return D_OK;
}

#define D_BUILTIN_TEXT(name) __noinline int d_builtin_##name(struct d_run *run, __u32 to)

D_BUILTIN_TEXT(Execname) {
  if (!run) return D_OK;
  __u8 *name = bytes_of(run, to);
  struct task_struct___d *leader = BPF_CORE_READ(own_task(run), group_leader);
  bpf_core_read(name, 16, &leader->comm);
  __u64 first = HAS_ZERO(*(__u64 *)name), second = HAS_ZERO(*(__u64 *)(name + 8));
  __u64 length = first ? first_zero(first) : 8 + first_zero(second);
  *text_at(run, to) = (struct d_text){length < TEXT_MOST ? length : TEXT_MOST, 0};
  return D_OK;
}

static __always_inline const char *name_at(__u32 where) {
  __u32 chunk = where / D_NAMES_EACH, page = where % D_NAMES_EACH / D_PAGE, first = 0;
  const char *bytes;
  if (!chunk) {
    bytes = where < D_FIRST_NAMES ? bpf_map_lookup_elem(&first_names, &first) : 0;
    return bytes ? bytes + (where & (D_FIRST_NAMES - 1)) : 0;
  }
  void *inner = bpf_map_lookup_elem(&names, &chunk);
  bytes = inner ? bpf_map_lookup_elem(inner, &page) : 0;
  return bytes ? bytes + (where & (D_PAGE - 1)) : 0;
}

__noinline int set_name(struct d_run *run, __u32 to, __u32 where) {
  if (!run) return D_OK;
  const char *bytes = name_at(where);
  *text_at(run, to) = (struct d_text){};
  if (bytes) set_kernel_text(run, to, bytes);
  return D_OK;
}

#define D_PROBE_NAME(name, which)  \
  D_BUILTIN_TEXT(name) {           \
    if (run) set_name(run, to, run->self.names[which]); \
    return D_OK;                   \
  }
D_PROBE_NAME(Probeprov, 0)
D_PROBE_NAME(Probemod, 1)
D_PROBE_NAME(Probefunc, 2)
D_PROBE_NAME(Probename, 3)

D_BUILTIN_TEXT(Zonename) {
  if (!run) return D_OK;
  char zone[] = "global";
  set_kernel_text(run, to, zone);
  return D_OK;
}

D_BUILTIN_TEXT(Cwd) {
  if (!run) return D_OK;
  struct path path = {};
  struct fs_struct___d *fs = BPF_CORE_READ(own_task(run), fs);
  bpf_core_read(&path, sizeof(path), &fs->pwd);
  set_path(run, to, &path);
  return D_OK;
}

D_BUILTIN_TEXT(Root) {
  if (!run) return D_OK;
  struct path path = {};
  struct fs_struct___d *fs = BPF_CORE_READ(own_task(run), fs);
  bpf_core_read(&path, sizeof(path), &fs->root);
  set_path(run, to, &path);
  return D_OK;
}

/* -- the arguments of a process -- */

static long space_for_nul(void *map, __u32 *key, __u32 *value, struct d_reading *reading) {
  struct d_run *run = reading->run;
  if (*key >= run->loop.at) return 1;
  __u8 *c = &bytes_of(run, reading->into_text)[*key & (D_TEXT_MOST - 1)];
  if (!*c) *c = ' ';
  return 0;
}

/* Words, with a blank between two, of a process that has the current memory. */
static __always_inline int set_arguments(struct d_run *run, __u32 to) {
  struct task_struct___d *task = own_task(run);
  struct mm_struct___d *mm = BPF_CORE_READ(task, mm);
  __u64 from = BPF_CORE_READ(mm, arg_start), end = BPF_CORE_READ(mm, arg_end),
        bytes = end > from + 1 ? end - from - 1 : 0;
  struct d_reading reading = {run, from, to + sizeof(struct d_text), 1};
  if (bytes > TEXT_MOST) bytes = TEXT_MOST;
  read_pages(&reading, bytes);
  reading.into_text = to;
  bpf_for_each_map_elem(&steps, space_for_nul, &reading, 0);
  *text_at(run, to) = (struct d_text){*(volatile __u64 *)&run->loop.at, 0};
  return D_OK;
}

D_BUILTIN_TEXT(Execargs) {
  if (!run) return D_OK;
  return set_arguments(run, to);
}

/* -- arguments and registers -- */

/* arg6 and up: of a function, from its stack (System V psABI for x86-64, 3.2.3). */
__noinline int d_stack_argument(struct d_run *run, __u32 to, __u32 number) {
  if (!run) return D_OK;
  __u64 value = 0;
  if (number >= D_ARGUMENTS) return D_OK;
  if (run->kind != D_ENTRY) value = run->args[number];
  else if (bpf_probe_read_user(&value, sizeof(value), (void *)(run->sp + 8 + (number - 6) * 8))) value = 0;
  *integer(run, to) = value;
  return D_OK;
}

/* args[] that are strings: a new program's name lies in the kernel, others where the argument says. */
__noinline int d_TypedArgumentText(struct d_run *run, __u32 to, __u32 number) {
  if (!run) return D_OK;
  if (number >= D_ARGUMENTS) return D_OK;
  *text_at(run, to) = (struct d_text){};
  __u64 at = run->args[number];
  if (run->hook == D_OF_PROCESSES) set_kernel_text(run, to, (void *)at);
  else if (bpf_probe_read_user_str(bytes_of(run, to), text_bytes & (D_TEXT_MOST * 2 - 1), (void *)at) > 0)
    set_text(run, to, bytes_of(run, to), length_within(run, bytes_of(run, to), TEXT_MOST));
  return D_OK;
}

/* Where struct user_regs_struct's members are in struct pt_regs: the first 21 are the same. */
enum { D_REGS_IN_ORDER = 21, D_REGS = 27 };

__noinline int d_UserRegister(struct d_run *run, __u32 to, __u64 number) {
  if (!run) return D_OK;
  if (number >= D_REGS) return D_ILLEGAL_OPERATION;
  __u64 value = 0;
  struct task_struct___d *task = own_task(run);
  if (run->hook == D_OF_STRUT) {
    value = 0;
  } else if (number < D_REGS_IN_ORDER) {
    struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
    bpf_probe_read_kernel(&value, sizeof(value), (void *)((__u64)regs + number * 8));
    if (number == 17 || number == 20) value &= 0xffff;
  } else {
    switch (number) {
      case 21: value = BPF_CORE_READ(task, thread.fsbase); break;
      case 22: value = BPF_CORE_READ(task, thread.gsbase); break;
      case 23: value = BPF_CORE_READ(task, thread.ds); break;
      case 24: value = BPF_CORE_READ(task, thread.es); break;
      case 25: value = BPF_CORE_READ(task, thread.fsindex); break;
      default: value = BPF_CORE_READ(task, thread.gsindex);
    }
  }
  *integer(run, to) = value;
  return D_OK;
}

/* progenyof() */
struct d_ancestor {
  struct task_struct___d *task;
  __u64 wanted;
  __u64 is;
};

static long look_above(void *map, __u32 *key, __u32 *value, struct d_ancestor *ancestor) {
  struct task_struct___d *task = ancestor->task;
  __u32 tgid = visible_number(tgid_of_other(task));
  if (tgid == ancestor->wanted) ancestor->is = 1;
  if (tgid <= 1 || ancestor->is) return 1;
  ancestor->task = BPF_CORE_READ(task, real_parent);
  return 0;
}

__noinline int d_IsProgeny(struct d_run *run, __u32 to, __u64 pid) {
  if (!run) return D_OK;
  struct d_ancestor ancestor = {own_task(run), pid, 0};
  bpf_for_each_map_elem(&steps, look_above, &ancestor, 0);
  *integer(run, to) = *(volatile __u64 *)&ancestor.is;
  return D_OK;
}

/* xorshift64* (Vigna), as DMachine has it; of each run its own. */
__noinline int d_Random(struct d_run *run, __u32 to) {
  if (!run) return D_OK;
  __u64 x = run->random ? run->random : bpf_ktime_get_ns() | 1;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  run->random = x;
  *integer(run, to) = x * 0x2545F4914F6CDD1Dull;
  return D_OK;
}
