/* From a hit to the clauses that it runs. */
#pragma once

#include "kassist/kernel/common/uprobe.bpf.h"
#include "kassist/kernel/common/wait_for_place.bpf.h"
#include "kassist/kernel/dtrace/operand.bpf.h"
#include "kassist/kernel/dtrace/thread.bpf.h"
#include "kassist/kernel/dtrace/turns.bpf.h"

/* Stand-ins: the code made of the program takes their place. */
__noinline int d_clauses(struct d_run *run) {
  if (!run) return 0;
  return run->busy;
}

/* Whether the current process is strut, or a command that is held: a fork of strut's that has executed nothing since.
 */
static __always_inline int is_strut(void) {
  __u32 process = own_tgid();
  if (process == control.left_out || process == control.known) return 1;
  for (int i = 0; i < D_COMMANDS && control.commands[i]; i++) {
    if (control.commands[i] != process) continue;
    struct task_struct___d *task = (void *)bpf_get_current_task();
    return BPF_CORE_READ(task, self_exec_id) == BPF_CORE_READ(task, parent_exec_id);
  }
  return 0;
}

/* Whether nothing fires in the current process. */
static __always_inline int is_left_out(void) { return is_strut() || !may_see((void *)bpf_get_current_task()); }

/* -- runs -- */

/* The index; -1: none is free. */
__noinline int claim_place(void) {
  __u32 first = bpf_get_smp_processor_id() * D_RUNS_EACH;
  for (int i = 0; i < D_RUNS_EACH; i++) {
    __u32 index = first + i;
    struct d_run *run = bpf_map_lookup_elem(&runs, &index);
    if (run && !run->busy && __sync_val_compare_and_swap(&run->busy, 0, 1) == 0) return index;
  }
  return -1;
}

/* Where the program may sleep this one is wait_for_place() (kassist/dtrace/link.cpp). `readable`: an address in the
 * thread's memory. */
__noinline int no_place_comes(__u64 readable) {
  asm volatile("" ::: "memory");
  return readable == D_SCRATCH_BASE ? -2 : -1;
}

/* 0: it is counted as lost. */
static __always_inline struct d_run *run_at(int place) {
  __u32 index = place;
  struct d_run *run = place < 0 ? 0 : bpf_map_lookup_elem(&runs, &index);
  if (run) run->place = index;
  else count_lost_hit();
  return run;
}

static __always_inline struct d_run *claim_run(void) { return run_at(claim_place()); }

static __always_inline struct d_run *claim_run_patiently(__u64 readable) {
  int place = claim_place();
  return run_at(place < 0 ? no_place_comes(readable) : place);
}

static __always_inline void release_run(struct d_run *run) { *(volatile __u32 *)&run->busy = 0; }

/* -- one probe -- */

static __always_inline struct d_probe *probe_at(__u32 probe) {
  if (probe < D_FIRST_PROBES) return bpf_map_lookup_elem(&first_probes, &probe);
  __u32 chunk = (probe - D_FIRST_PROBES) / D_PROBES_EACH, index = (probe - D_FIRST_PROBES) % D_PROBES_EACH;
  void *inner = bpf_map_lookup_elem(&probes, &chunk);
  return inner ? bpf_map_lookup_elem(inner, &index) : 0;
}

/* Earlier clauses have run before: the numbers of enablings continue from there. */
static __always_inline void leave_out_clauses(struct d_run *run, __u32 below) {
  for (__u32 i = 0; i < D_CLAUSE_WORDS; i++) {
    __u64 word = run->self.clauses[i], kept = below >= i * 64 + 64 ? 0
                                              : below > i * 64     ? word & ~0ull << (below & 63)
                                                                   : word;
    run->self.first_epid += bits_in(word ^ kept);
    run->self.clauses[i] = kept;
  }
}

/* Runs its clauses. Arguments are set. */
__noinline int d_fire(struct d_run *run, __u32 probe) {
  if (!run) return 0;
  struct d_probe *self = probe_at(probe);
  if (!self) return 0;
  run->self = *self;
  run->probe = probe;
  run->time_ns = run->since_ns ? run->since_ns : bpf_ktime_get_ns();
  if (run->from_clause) leave_out_clauses(run, run->from_clause);
  run->from_clause = 0;
  run->left = run->token_at = run->token_length = 0;
  run->scratch_used = clause_bytes;
  if (clause_bytes && clause_bytes <= D_SCRATCH / 2)
    bpf_probe_read_kernel(run->scratch, clause_bytes, (const void *)zeros);
  return d_clauses(run);
}

static __always_inline const struct d_firing *firing_at(__u64 cookie) {
  __u32 group = cookie >> 32, index = cookie;
  if (!group) return bpf_map_lookup_elem(&first_sites, &index);
  void *inner = bpf_map_lookup_elem(&sites, &group);
  return inner ? bpf_map_lookup_elem(inner, &index) : 0;
}

static __always_inline int is_wanted(const struct d_firing *firing) {
  return !firing->pid || firing->pid == own_tgid();
}

static __always_inline void clear_arguments(struct d_run *run) {
  for (int i = 0; i < D_ARGUMENTS; i++) run->args[i] = 0;
}

/* -- code -- */

static __always_inline void set_code_arguments(struct d_run* run, const struct d_firing* firing,
                                               struct hit_registers* regs) {
  run->kind = firing->kind;
  run->variables = firing->variables;
  run->sp = IN(regs, sp);
  if (!wants_arguments) return;
  clear_arguments(run);
  if (firing->kind == D_ENTRY) {
    read_function_arguments(run->args, regs);
  } else if (firing->kind == D_RETURN) {
    run->args[0] = firing->offset;
    run->args[1] = IN(regs, ax);
    run->args[2] = IN(regs, dx);
  } else if (firing->kind == D_OPERANDS) {
    run->unread = 0;
    for (__u32 i = 0; i < D_ARGUMENTS; i++)
      if ((wants_arguments >> i & 1) && i < firing->hook) d_SiteArgument(run, i, firing->offset + i);
  }
}

static __always_inline void fire_site(struct d_run *run, const struct d_firing *firing, struct hit_registers *regs) {
  set_code_arguments(run, firing, regs);
  d_fire(run, firing->probe);
}

struct d_code_hit {
  struct d_run *run;
  struct hit_registers *regs;
  __u64 cookie;
};

static __always_inline int fires(const struct d_firing *firing, struct hit_registers *regs) {
  return is_wanted(firing) && (firing->condition > 15 || holds(firing->condition, IN(regs, flags)));
}

/* One of a site's firings; 1: it was the last. */
static long fire_code(void *map, __u32 *key, __u32 *value, struct d_code_hit *hit) {
  const struct d_firing *firing = firing_at(hit->cookie + *key);
  if (!firing || control.is_quiet) return 1;
  if (fires(firing, hit->regs)) fire_site(hit->run, firing, hit->regs);
  return !firing->more;
}

SEC("dlang/uprobe")
int d_hook_uprobe(struct hit_registers *regs) {
  keep_to_threads_stack();
  if (control.is_quiet) return 0;
  struct d_code_hit hit = {0, regs, bpf_get_attach_cookie(regs)};
  const struct d_firing *first = firing_at(hit.cookie);
  if (!first || is_left_out() || (!first->more && !fires(first, regs))) return 0;
  if (is_further_turn(first->condition, regs)) return 0;
  hit.run = claim_run_patiently(IN(regs, sp));
  if (!hit.run) return 0;
  hit.run->hook = D_OF_CODE;
  hit.run->result = 0;
  if (first->more) bpf_for_each_map_elem(&steps, fire_code, &hit, 0);
  else fire_site(hit.run, first, regs);
  release_run(hit.run);
  return 0;
}
