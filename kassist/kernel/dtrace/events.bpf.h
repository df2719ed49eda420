/* System calls, process events, profiles, and probes that strut fires itself. */
#pragma once

#include "kassist/kernel/common/abi.bpf.h"
#include "kassist/kernel/common/refused.bpf.h"
#include "kassist/kernel/dtrace/hooks.bpf.h"

enum { D_WORK_SECCOMP = 1 }; /* SYSCALL_WORK_SECCOMP of <linux/thread_info.h>: a thread keeps it until it ends */

#define D_LAST_CALL_RETURNED (~0ull) /* for a thread in `filtered`: seccomp kills it by a signal */

enum { D_LARGEST_ERROR = 4095, D_GIVEN_MOST = 8 };

enum d_process_event {
#define PROCESS_EVENT(event, number, hook, ...) number,
#include "dlang/machine/process_events.inc"
#undef PROCESS_EVENT
};

struct d_event {
  struct d_run *run;
  __u64 cookie;
  __u64 subject;  /* the task that it is about */
  __u32 result;   /* errno */
  __u32 hook;
  __u64 given[D_GIVEN_MOST];
};

/* The state that the faulted clause and the following ones need when the call returns. No room: the fault stands. */
static __always_inline void wait_for_return(struct d_event *event, __u32 firing) {
  struct d_run *run = event->run;
  __u32 thread = bpf_get_current_pid_tgid();
  struct d_waiting *call = (struct d_waiting *)run->record; /* for its entry */
  call->cookie = event->cookie + firing;
  for (int i = 0; i < D_CALL_ARGUMENTS; i++) call->given[i] = event->given[i];
  if (bpf_map_update_elem(&waiting, &thread, call, BPF_ANY)) send(run, 0, sizeof(struct d_record));
  else __sync_fetch_and_add(&control.waiting, 1);
}

static long fire_event(void *map, __u32 *key, __u32 *value, struct d_event *event) {
  const struct d_firing *firing = firing_at(event->cookie + *key);
  if (!firing || control.is_quiet) return 1;
  struct d_run *run = event->run;
  run->kind = firing->kind;
  __u32 first = firing->kind == D_CALL_ENTRY ? firing->offset & 7 : 0;
  if (wants_arguments)
    for (int i = 0; i < D_ARGUMENTS; i++)
      run->args[i] = first + i < D_GIVEN_MOST ? event->given[(first + i) & (D_GIVEN_MOST - 1)] : 0;
  d_fire(run, firing->probe);
  if (*(volatile __u32 *)&run->left == D_WAITS) {
    wait_for_return(event, *key);
    return 1;
  }
  return !firing->more;
}

/* Fires the probes at this place in the event table. */
static __always_inline void fire_events_of(struct d_event *event, __u32 place, __u32 may_wait) {
  __u64 *cookie = bpf_map_lookup_elem(&events, &place);
  if (!cookie || !*cookie) return;
  event->cookie = *cookie;
  struct d_run *run = claim_run();
  if (!run) return;
  event->run = run;
  run->hook = event->hook;
  run->result = event->result;
  run->subject = event->subject;
  run->may_wait = may_wait;
  bpf_for_each_map_elem(&steps, fire_event, event, 0);
  run->may_wait = 0;
  release_run(run);
}
static __always_inline void fire_events(struct d_event *event, __u32 place) { fire_events_of(event, place, 0); }

static __always_inline void fire_process_event(struct d_event *event, __u32 which) {
  event->hook = D_OF_PROCESSES;
  fire_events(event, D_HOOKS_AT + which);
}

static __always_inline int is_asked_for(__u32 which) {
  __u32 place = D_HOOKS_AT + which;
  __u64 *cookie = bpf_map_lookup_elem(&events, &place);
  return cookie && *cookie;
}

/* -- system calls -- */

struct d_call {
  __u32 abi, nr;
};

static __always_inline struct d_call call_of(struct task_struct *task, long nr) {
  __u32 abi = abi_of(task, nr);
  return (struct d_call){abi, abi == ABI_X32 ? nr & ~X32_BIT : nr};
}

/* At a call's entry and return. */
__noinline int d_builtin_CallAbi(struct d_run *run, __u32 to) {
  if (!run) return D_OK;
  struct task_struct *task = bpf_get_current_task_btf();
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  *integer(run, to) = call_of(task, regs->orig_ax).abi;
  return D_OK;
}

/* Calls that may give their thread a filter, which is there when they return: prctl(2), seccomp(2). */
static __always_inline int may_filter(struct d_call call) {
  return call.abi == ABI_I386 ? call.nr == 172 || call.nr == 354 : call.nr == 157 || call.nr == 317;
}

static __always_inline int is_filtered(struct task_struct *task) {
  return (task->thread_info.syscall_work & D_WORK_SECCOMP) != 0;
}

/* A call that a filter answers fires sys_exit alone: it is known by its thread not being inside. */
static __always_inline void note_entry(struct task_struct *task, struct d_call call) {
  if (!is_filtered(task) && !may_filter(call)) return;
  __u64 seen = *(volatile __u32 *)&control.entries_seen;
  __u64 *place = seen ? bpf_task_storage_get(&filtered, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE) : 0;
  if (place) *place = seen << 1 | 1;
}

/* Whether the thread leaves a call with a missed entry. Unknown for threads without a call that was seen before. */
static __always_inline int is_denied(struct task_struct *task) {
  if (!is_filtered(task)) return 0;
  __u64 seen = *(volatile __u32 *)&control.entries_seen;
  __u64 *place = seen ? bpf_task_storage_get(&filtered, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE) : 0;
  if (!place) return 0;
  __u64 before = *place;
  *place = is_condemned(task) ? D_LAST_CALL_RETURNED : seen << 1;
  return before == seen << 1;
}

static __always_inline void fire_entry(struct task_struct *task, struct d_call call, __u32 may_wait) {
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  struct d_event event = {.hook = D_OF_CALLS};
  if (wants_arguments) read_arguments(event.given, regs, call.abi);
  fire_events_of(&event, call.abi * D_CALLS + call.nr, may_wait);
  if (replaces_program(call.abi, call.nr) && is_asked_for(D_EXEC)) {
    if (names_program_second(call.abi, call.nr)) event.given[0] = event.given[1];
    fire_events(&event, D_HOOKS_AT + D_EXEC);
  }
}

struct d_tracepoint {
  __u64 args[12];
};

SEC("dlang/sys_enter")
int d_hook_sys_enter(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  struct d_call call = call_of(task, ctx->args[1]);
  note_entry(task, call);
  if (call.nr < D_CALLS) fire_entry(task, call, 1);
  return 0;
}

/* Continues the waiting clauses of the call's entry, as of that time. An exec'd program has new memory. */
static __always_inline void fire_waiting(struct d_event *event, __u32 is_gone) {
  __u32 thread = bpf_get_current_pid_tgid();
  if (!*(volatile __u64 *)&control.waiting) return;
  struct d_waiting *call = bpf_map_lookup_elem(&waiting, &thread);
  struct d_run *run = call ? claim_run() : 0;
  if (!call) return;
  event->cookie = call->cookie;
  for (int i = 0; i < D_CALL_ARGUMENTS; i++) event->given[i] = call->given[i];
  if (run) {
    event->run = run;
    run->hook = D_OF_CALLS;
    run->result = run->subject = 0;
    run->since_ns = call->fault.time_ns;
    run->from_clause = call->fault.clause;
    run->is_gone = is_gone;
  }
  bpf_map_delete_elem(&waiting, &thread);
  __sync_fetch_and_add(&control.waiting, -1);
  if (!run) return;
  bpf_for_each_map_elem(&steps, fire_event, event, 0);
  run->since_ns = run->is_gone = 0;
  run->from_clause = 0;
  release_run(run);
  for (int i = 0; i < D_CALL_ARGUMENTS; i++) event->given[i] = 0; /* a return has others */
}

/* Process events that are the return of a call. A new thread's first act is to return 0 from the call that made it. */
static __always_inline void fire_process_returns(struct d_event* event, struct task_struct* task, struct d_call call,
                                                 long result) {
  event->result = event->given[0] = event->given[1] = 0;
  if (result == 0 && makes_thread(call.abi, call.nr)) {
    if (BPF_CORE_READ(task, pid) == BPF_CORE_READ(task, tgid)) fire_process_event(event, D_START);
    fire_process_event(event, D_LWP_START);
  } else if (result < 0 && replaces_program(call.abi, call.nr)) {
    event->given[0] = event->result = -result;
    fire_process_event(event, D_EXEC_FAILURE);
  } else if (result > 0 && consumes_signal(call.abi, call.nr)) {
    event->given[0] = result;
    fire_process_event(event, D_SIGNAL_CLEAR);
  }
}

/* The memory that clauses at the entry wanted is not read any more: the caller may not see the exec'd program. */
static __always_inline void forget_waiting(void) {
  __u32 thread = bpf_get_current_pid_tgid();
  if (bpf_map_delete_elem(&waiting, &thread) == 0) __sync_fetch_and_add(&control.waiting, -1);
}

SEC("dlang/sys_exit")
int d_hook_sys_exit(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_strut()) return 0;
  if (!may_see((void *)bpf_get_current_task())) {
    forget_waiting();
    return 0;
  }
  struct task_struct *task = bpf_get_current_task_btf();
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  struct d_call call = call_of(task, regs->orig_ax);
  long result = ctx->args[1];
  int denied = is_denied(task);
  if (call.nr >= D_CALLS) return 0;
  if (denied) fire_entry(task, call, 0);
  struct d_event event = {.hook = D_OF_CALLS};
  fire_waiting(&event, result == 0 && replaces_program(call.abi, call.nr));
  int failed = result < 0 && result >= -D_LARGEST_ERROR;
  event.result = failed ? -result : 0;
  event.given[0] = event.given[1] = failed ? -1 : result;
  fire_events(&event, (D_ABIS + call.abi) * D_CALLS + call.nr);
  fire_process_returns(&event, task, call, result);
  return 0;
}

/* For runs without return probes: all threads come here. */
SEC("dlang/denied")
int d_hook_denied(struct d_tracepoint *ctx) {
  struct task_struct *task = bpf_get_current_task_btf();
  if (!is_filtered(task) || control.is_quiet || is_left_out()) return 0;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  struct d_call call = call_of(task, regs->orig_ax);
  if (is_denied(task) && call.nr < D_CALLS) fire_entry(task, call, 0);
  return 0;
}

/* A thread that seccomp ends at a call leaves no other trace of that. */
static __always_inline void fire_refused(struct task_struct *task) {
  if (!is_filtered(task) || !*(volatile __u32 *)&control.entries_seen || !is_refused(task)) return;
  __u64 *place = bpf_task_storage_get(&filtered, task, 0, 0);
  if (place && *place == D_LAST_CALL_RETURNED) return;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  struct d_call call = call_of(task, regs->orig_ax);
  if (call.nr < D_CALLS) fire_entry(task, call, 0);
}

/* -- processes -- */

SEC("dlang/sched_process_fork")
int d_hook_fork(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  struct task_struct *parent = (void *)ctx->args[0], *child = (void *)ctx->args[1];
  struct d_event event = {.subject = (__u64)child};
  int is_thread = BPF_CORE_READ(parent, tgid) == BPF_CORE_READ(child, tgid);
  fire_process_event(&event, is_thread ? D_LWP_CREATE : D_CREATE);
  return 0;
}

SEC("dlang/sched_process_exec")
int d_hook_exec(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  struct d_event event = {.subject = ctx->args[0]};
  fire_process_event(&event, D_EXEC_SUCCESS);
  return 0;
}

/* waitid(2): CLD_EXITED, CLD_KILLED, CLD_DUMPED */
static __always_inline __u32 way_of_end(int code) { return !(code & 0x7f) ? 1 : code & 0x80 ? 3 : 2; }

SEC("dlang/sched_process_exit")
int d_hook_exit(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  fire_refused(bpf_get_current_task_btf());
  struct task_struct *task = (void *)ctx->args[0];
  struct d_event event = {.subject = (__u64)task};
  fire_process_event(&event, D_LWP_EXIT);
  if (BPF_CORE_READ(task, signal, live.counter)) return 0;
  event.given[0] = way_of_end(BPF_CORE_READ(task, exit_code));
  fire_process_event(&event, D_EXIT);
  return 0;
}

/* For runs without exit probes. */
SEC("dlang/refused")
int d_hook_refused(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  fire_refused(bpf_get_current_task_btf());
  return 0;
}

SEC("dlang/signal_generate")
int d_hook_signal_generate(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  struct d_event event = {.subject = ctx->args[2]};
  if (!may_see((void *)event.subject)) return 0;
  event.given[2] = (__u32)ctx->args[0];
  fire_process_event(&event, D_SIGNAL_SEND);
  if (ctx->args[4] == 1) fire_process_event(&event, D_SIGNAL_DISCARD); /* TRACE_SIGNAL_IGNORED */
  return 0;
}

SEC("dlang/signal_deliver")
int d_hook_signal_deliver(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  struct k_sigaction *action = (void *)ctx->args[2];
  __u64 handler = (__u64)BPF_CORE_READ(action, sa.sa_handler);
  if (handler <= 1) return 0; /* SIG_DFL, SIG_IGN */
  struct d_event event = {};
  event.given[0] = (__u32)ctx->args[0];
  event.given[2] = handler;
  fire_process_event(&event, D_SIGNAL_HANDLE);
  return 0;
}

/* -- profiles, tracepoints, strut -- */

static __always_inline int fire_about(__u32 probe, __u32 hook, const __u64 *given, __u64 subject) {
  struct d_run *run = claim_run();
  if (!run) return -1;
  run->hook = hook;
  run->kind = D_GIVEN;
  run->result = 0;
  run->subject = subject;
  for (int i = 0; i < D_ARGUMENTS; i++) run->args[i] = given[i];
  d_fire(run, probe);
  release_run(run);
  return 0;
}
static __always_inline int fire_given(__u32 probe, __u32 hook, const __u64 *given) {
  return fire_about(probe, hook, given, 0);
}

SEC("dlang/profile")
int d_hook_profile(struct hit_registers *regs) {
  if (control.is_quiet || !may_see((void *)bpf_get_current_task())) return 0;
  __u64 given[D_ARGUMENTS] = {};
  int is_user = (IN(regs, cs) & 3) != 0;
  given[is_user ? 1 : 0] = is_user                ? user_pc(IN(regs, ip))
                           : caller.is_restricted ? ~0ull
                                                  : IN(regs, ip); /* as under ptrace */
  fire_given(bpf_get_attach_cookie(regs), D_OF_PROFILES, given);
  return 0;
}

/* Whether the arguments of a tracepoint are 0, and not, where they must be. */
static __always_inline int is_meant(const __u64 *given, __u64 cookie) {
  for (int i = 0; i < 8; i++) {
    if (cookie >> (D_COOKIE_IF_SET + i) & 1 && !given[i]) return 0;
    if (cookie >> (D_COOKIE_IF_ZERO + i) & 1 && given[i]) return 0;
  }
  return 1;
}

/* The arguments are read as memory: a program that addresses more of them than a tracepoint has cannot be attached. */
SEC("dlang/tracepoint")
int d_hook_tracepoint(struct d_tracepoint *ctx) {
  if (control.is_quiet || is_left_out()) return 0;
  __u64 cookie = bpf_get_attach_cookie(ctx), given[D_ARGUMENTS] = {};
  __u64 many = cookie >> D_COOKIE_ARGUMENTS & 0xff, subject = cookie >> D_COOKIE_SUBJECT & 0xff;
  if (many > D_ARGUMENTS) many = D_ARGUMENTS;
  bpf_probe_read_kernel(given, many * sizeof(__u64), ctx);
  if (!is_meant(given, cookie)) return 0;
  if (subject == D_OWN_ARGUMENTS) return fire_given(cookie, D_OF_TRACEPOINTS, given);
  __u64 about = 0;
  for (__u32 i = 0; i < D_ARGUMENTS; i++) {
    if (subject == i) about = given[i];
    given[i] = 0;
  }
  given[0] = given[1] = about;
  return fire_about(cookie, D_OF_TRACEPOINTS, given, about);
}

SEC("dlang/fire")
int d_hook_fire(struct d_tracepoint *ctx) {
  __u64 given[D_ARGUMENTS];
  for (int i = 0; i < D_ARGUMENTS; i++) given[i] = ctx->args[i + 1];
  return fire_given(ctx->args[0], D_OF_STRUT, given);
}
