/* A thread at a site of a function: an entry, a return, a jump out of it, a jump out of a calling module. */
#pragma once

/* Links of uprobes let programs sleep; perf events do only since Linux 6.0. */
#ifdef STRUT_AWAKE /* an object of its own for those */
#define MAY_SLEEP 0
#else
#define MAY_SLEEP 1
#endif
/* No function's plan reads context where none was requested. */
#define LOOKS_AROUND around

#include "kassist/kernel/common/brake.bpf.h"
#include "kassist/kernel/functions/callers.bpf.h"
#include "kassist/kernel/syscalls/capture.bpf.h"
#if MAY_SLEEP
#include "kassist/kernel/functions/floatings.bpf.h"
#endif
#include "kassist/kernel/functions/linker.bpf.h"
#include "kassist/kernel/common/makers.bpf.h"
#include "kassist/kernel/common/stack.bpf.h"
#include "kassist/kernel/common/uprobe.bpf.h"

/* Flavours (libbpf: what follows ___ is ignored) with the members used here. */
struct thread_struct {
  unsigned long fsbase;
} RELOCATED;
struct task_struct___segments {
  struct thread_struct thread;
} RELOCATED;

/* -- where records are made ------------------------------------------------------------------------- */

enum { LONG_NS = 1000000 };

/* There is no place to make a record in. */
__noinline int lose_hit(struct wire_mark *mark) {
  if (!mark) return 0;
  mark->sequence++;
  __sync_fetch_and_add(&control.losses.events, 1);
  struct wire_loss *loss = loss_of(own_tid());
  if (loss) __sync_fetch_and_add(&loss->events, 1);
  return 0;
}

/* -- plans ------------------------------------------------------------------------------------------- */

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, WIRE_FUNCTION_PLANS);
  __type(key, __u32);
  __type(value, struct wire_plan);
} function_plans SEC(".maps");

/* Values of the entry that the return needs: the slots as they were then. By the plan, which belongs to one function
 * where it needs them (WIRE_PLAN_SAVES): a function's tail call returns in its stead, by the same plan. Entries of
 * frames that were left otherwise are evicted when there is no room. */
struct entry_key {
  __u32 tid, plan;
  __u64 frame;
};
struct entry_slots {
  __u64 slots[WIRE_SLOTS];
  __u64 returns; /* the returns that will read them: one instruction may be a site of several probes */
};
struct {
  __uint(type, BPF_MAP_TYPE_LRU_HASH);
  __uint(max_entries, WIRE_SAVED_ENTRIES);
  __type(key, struct entry_key);
  __type(value, struct entry_slots);
} saved_entries SEC(".maps");

static __always_inline struct entry_key key_of_record(struct wire_record *record, __u32 plan) {
  return (struct entry_key){record->tid, plan, record->regs[WIRE_SP]};
}

static __always_inline int are_same_slots(const struct entry_slots *a, const struct entry_slots *b) {
  for (int i = 0; i < WIRE_SLOTS; i++)
    if (a->slots[i] != b->slots[i]) return 0;
  return 1;
}

/* Slots that are there already and differ are of a frame that was left without a return. */
static __always_inline void save_entry(struct entry_key *key, struct entry_slots *now) {
  struct entry_slots *before = bpf_map_lookup_elem(&saved_entries, key);
  if (before && are_same_slots(before, now)) before->returns++;
  else bpf_map_update_elem(&saved_entries, key, now, BPF_ANY);
}

__noinline int run_entry_plan(struct scratch *scratch, struct wire_mark *mark, __u32 place) {
  if (!scratch || !mark) return 0;
  const struct wire_plan *plan = bpf_map_lookup_elem(&function_plans, &place);
  if (!plan) return 0;
  run_ops(scratch, mark, plan->first, plan->enter_ops, WIRE_MEMORY);
  if (!(plan->flags & WIRE_PLAN_SAVES)) return 0;
  /* Where a plan replaces no register there is nothing in the slots yet. */
  if (!plan->enter_ops) for (int i = 0; i < WIRE_REGS; i++) scratch->run.slots[i] = scratch->record.regs[i];
  struct entry_key key = key_of_record(&scratch->record, place);
  /* Before 6.2 a map takes nothing from an argument's memory. */
  struct entry_slots saved = {.returns = 1};
  for (int i = 0; i < WIRE_SLOTS; i++) saved.slots[i] = scratch->run.slots[i];
  save_entry(&key, &saved);
  return 0;
}

__noinline int run_return_plan(struct scratch *scratch, struct wire_mark *mark, __u32 place) {
  if (!scratch || !mark) return 0;
  const struct wire_plan *plan = bpf_map_lookup_elem(&function_plans, &place);
  if (!plan || !plan->exit_ops) return 0;
  if (plan->flags & WIRE_PLAN_SAVES) {
    struct entry_key key = key_of_record(&scratch->record, place);
    struct entry_slots *saved = bpf_map_lookup_elem(&saved_entries, &key);
    if (!saved) return 0;
    for (int i = 0; i < WIRE_SP; i++) scratch->record.regs[i] = saved->slots[i];
    for (int i = WIRE_FIRST_FREE; i < WIRE_SLOTS; i++) scratch->run.slots[i] = saved->slots[i];
    if (--saved->returns == 0) bpf_map_delete_elem(&saved_entries, &key);
  }
  run_ops(scratch, mark, plan->first + plan->enter_ops, plan->exit_ops, WIRE_MEMORY);
  return 0;
}

/* -- floating-point registers ------------------------------------------------------------------------ */

#if MAY_SLEEP
/* 1: they are wanted, and saved where they can be read. Others may come to a site on this CPU meanwhile: before a place
 * is claimed to make a record in. `counted`: %al, which says of a call with variable arguments how many vector
 * registers they are in, or an upper bound. */
__noinline int save_floatings(__u32 place, __u32 site, __u64 counted, __u64 readable) {
  const struct wire_plan *plan = bpf_map_lookup_elem(&function_plans, &place);
  if (!plan || !plan->floatings) return 0;
  __u32 wanted = site == WIRE_SITE_ENTRY ? WIRE_TAKES_FLOATINGS : WIRE_RETURNS_FLOATINGS;
  if (site == WIRE_SITE_ENTRY && (__u8)counted) wanted |= WIRE_MAY_TAKE_FLOATINGS;
  return (plan->floatings & wanted) && is_switched(bpf_get_current_task_btf(), readable);
}
#endif

static __always_inline void take_floatings(struct scratch *scratch, struct wire_mark *mark, int are_saved) {
#if MAY_SLEEP
  if (are_saved) append_floatings(scratch, mark);
#endif
}

/* -- errno ------------------------------------------------------------------------------------------- */

/* 1: it is asked for. */
const volatile __u32 function_errors = 0;

/* By process: bytes from %fs. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 32768);
  __type(key, __u32);
  __type(value, __s64);
} errno_places SEC(".maps");

__noinline int error_number(void) {
  __u32 process = own_tgid();
  __s64 *place = bpf_map_lookup_elem(&errno_places, &process);
  if (!place) return 0;
  struct task_struct___segments *task = (void *)bpf_get_current_task();
  int number = 0;
  bpf_probe_read_user(&number, sizeof(number), (void *)(BPF_CORE_READ(task, thread.fsbase) + *place));
  return number;
}

/* A child has its errno where its parent has it; a new program's place is unknown. */
SEC("raw_tp/sched_process_fork")
int errno_of_child(__u64 *context) {
  struct task_struct *parent = (struct task_struct *)context[0], *child = (struct task_struct *)context[1];
  __u32 from = tgid_of_other(parent), to = tgid_of_other(child);
  __s64 *place = from == to ? 0 : bpf_map_lookup_elem(&errno_places, &from);
  if (place) bpf_map_update_elem(&errno_places, &to, place, BPF_ANY);
  return 0;
}

SEC("raw_tp/sched_process_exec+sched_process_exit")
int errno_of_nobody(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  __u32 process = tgid_of(task);
  int exits = task->flags & 4; /* PF_EXITING of <linux/sched.h> */
  if (!exits || BPF_CORE_READ(task, signal, live.counter) == 0) bpf_map_delete_elem(&errno_places, &process);
  return 0;
}

/* -- hits -------------------------------------------------------------------------------------------- */

/* As read_function_arguments(), by the ABI of Go. */
static __always_inline void read_go_arguments(__u64 *to, struct hit_registers *regs) {
  to[0] = IN(regs, ax);
  to[1] = IN(regs, bx);
  to[2] = IN(regs, cx);
  to[3] = IN(regs, di);
  to[4] = IN(regs, si);
  to[5] = IN(regs, r8);
}

static __always_inline void append_goroutine(struct scratch* scratch, struct wire_mark* mark,
                                             struct hit_registers* regs) {
  scratch->phase = WIRE_GOROUTINE;
  append_memory(scratch, mark, IN(regs, r14), 2 * sizeof(__u64), 0);
}

/* Where the function returns to, and where that is kept: at a uretprobe it has been taken from there already, and at a
 * call not been put there yet. */
struct frame {
  __u64 at, back;
};
static __always_inline struct frame frame_of(struct hit_registers *regs, __u64 cookie, __u32 site) {
  struct frame frame = {.at = IN(regs, sp)};
  if (wire_cookie_call_bytes(cookie)) {
    frame.at -= sizeof(frame.back);
    frame.back = IN(regs, ip) + wire_cookie_call_bytes(cookie);
  } else if (site == WIRE_SITE_RETURNED) {
    frame.at -= sizeof(frame.back);
    frame.back = IN(regs, ip);
  } else {
    bpf_probe_read_user(&frame.back, sizeof(frame.back), (void *)frame.at);
  }
  return frame;
}

static __always_inline int is_wanted_hit(struct task_struct *task, struct frame frame, __u64 cookie, __u32 site) {
  if (site == WIRE_SITE_OUTWARD) note_outward(task, frame.at);
  return !(cookie & WIRE_COOKIE_CALLERS) || is_of_wanted_caller(frame.at, frame.back, site == WIRE_SITE_ENTRY);
}

__noinline int is_taken(__u32 condition, __u64 flags) { return holds(condition, flags); }

/* The mark of a thread whose hit may be reported; 0: it may not. */
static __always_inline struct wire_mark *mark_at_hit(struct task_struct *task, struct hit_registers *regs,
                                                     __u64 cookie) {
  struct wire_mark *mark = visible_mark_of(task);
  if (!mark || has_ended() || !is_followed(mark)) return 0;
  __u32 condition = wire_cookie_condition(cookie);
  return condition && !is_taken(condition - 1, IN(regs, flags)) ? 0 : mark;
}

static __always_inline void begin_hit(struct scratch *scratch, struct task_struct *task, struct wire_mark *mark,
                                      __u64 cookie, __u32 site, struct frame frame) {
  struct wire_record *record = &scratch->record;
  begin(scratch, task, mark);
  record->at_ns = bpf_ktime_get_ns();
  record->function = wire_cookie_function(cookie);
  record->site = site;
  record->regs[WIRE_SP] = frame.at;
  record->ip = frame.back;
}

static __always_inline void capture_entry(struct scratch *scratch, struct wire_mark *mark, struct hit_registers *regs,
                                          __u64 cookie, int floatings) {
  struct wire_record *record = &scratch->record;
  if (cookie & WIRE_COOKIE_GO) read_go_arguments(record->regs, regs);
  else read_function_arguments(record->regs, regs);
  record->regs[WIRE_RESULT] = 0;
  run_entry_plan(scratch, mark, wire_cookie_plan(cookie));
  take_floatings(scratch, mark, floatings);
  if (stack_bytes) append_stack(scratch, mark);
}

static __always_inline void capture_return(struct scratch *scratch, struct wire_mark *mark, struct hit_registers *regs,
                                           __u64 cookie, int floatings) {
  struct wire_record *record = &scratch->record;
  __u64 result = IN(regs, ax), high = IN(regs, dx);
  record->regs[WIRE_RESULT] = result;
  run_return_plan(scratch, mark, wire_cookie_plan(cookie));
  take_floatings(scratch, mark, floatings);
  record->returned.rax = result;
  record->returned.rdx = high;
  record->returned.error_number = function_errors ? error_number() : 0;
}

static __always_inline void send_hit(struct hit_scratch *claimed, struct wire_mark *mark) {
  struct scratch *scratch = &claimed->scratch;
  /* The thread may have waited for memory, or for its CPU: user space waits for late records only briefly. */
  __u64 now_ns = bpf_ktime_get_ns();
  if (now_ns - scratch->record.at_ns > LONG_NS) scratch->record.at_ns = now_ns;
  send(scratch, mark, WIRE_HIT);
  __u32 fill = scratch->fill;
  *(volatile __u32 *)&claimed->claimed = 0;
  if (fill >= control.throttle.ask_bytes) brake(mark, fill, 0);
}

/* 1: the hit was reported, or lost; 0: it is not reported. */
static __always_inline int come_to_site(struct hit_registers *regs, __u64 cookie, __u32 site) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = mark_at_hit(task, regs, cookie);
  if (!mark) return 0;
  struct frame frame = frame_of(regs, cookie, site);
  if (!is_wanted_hit(task, frame, cookie, site)) return 0;
  int floatings = 0;
#if MAY_SLEEP
  floatings = save_floatings(wire_cookie_plan(cookie), site, IN(regs, ax), IN(regs, sp));
#endif
  struct hit_scratch *claimed = claim_scratch_patiently(IN(regs, sp));
  if (!claimed) {
    lose_hit(mark);
    return 1;
  }
  struct scratch *scratch = &claimed->scratch;
  begin_hit(scratch, task, mark, cookie, site, frame);
  if (cookie & WIRE_COOKIE_GO) append_goroutine(scratch, mark, regs);
  if (site == WIRE_SITE_ENTRY) capture_entry(scratch, mark, regs, cookie, floatings);
  else if (site != WIRE_SITE_JUMP && site != WIRE_SITE_OUTWARD) capture_return(scratch, mark, regs, cookie, floatings);
  send_hit(claimed, mark);
  return 1;
}

/* For a link with the place of hits in the cookie, and for return links too. A result other than 0 would mean that
 * the uprobe is no longer needed. */
SEC("hits/alone")
int function_hits(struct hit_registers *regs) {
  keep_to_threads_stack();
  __u64 cookie = bpf_get_attach_cookie(regs);
  come_to_site(regs, cookie, wire_cookie_site(cookie));
  return 0;
}

/* For places that are not reported: hooks of dynamic linkers, and functions of the C library that make processes or
 * exec programs. A program of its own: the verifier does not walk this code for each of the others. */
SEC("hits/places")
int asking_places(struct hit_registers *regs) {
  keep_to_threads_stack();
  __u64 cookie = bpf_get_attach_cookie(regs);
  __u32 site = wire_cookie_site(cookie);
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = visible_mark_of(task);
  if (has_ended()) return 0;
  if (!mark && site == WIRE_SITE_EXECUTOR && wire_cookie_function(cookie) == WIRE_OF_FOLLOWED)
    mark = mark_of_heir(task);
  if (!mark) return 0;
  if (site == WIRE_SITE_EXECUTOR && mark->state == WIRE_HEIR) return at_maker(task, mark, IN(regs, sp));
  if (!is_followed(mark)) return 0;
  if (site != WIRE_SITE_LINKER) return at_maker(task, mark, IN(regs, sp));
  at_linker(mark, IN(regs, ip) + wire_cookie_debug(cookie) + R_DEBUG_STATE);
  return 0;
}

#if MAY_SLEEP
/* For a link with sessions (Linux 6.13): called at a function's entry and, where that says so, when it returns. A 1 at
 * an entry says that the return need not be seen: the return address stays. */
SEC("hits/session")
int function_calls(struct hit_registers *regs) {
  keep_to_threads_stack();
  __u64 cookie = bpf_get_attach_cookie(regs);
  int returns = bpf_get_func_ip(regs) != IN(regs, ip);
  int reported = come_to_site(regs, cookie, returns ? WIRE_SITE_RETURNED : wire_cookie_site(cookie));
  return !returns && (!reported || !(cookie & WIRE_COOKIE_RETURNS));
}
#endif
