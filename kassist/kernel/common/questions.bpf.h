/* Sites to be armed before a thread goes on: the thread requests it, and waits for strut's reply. */
#pragma once

#include "kassist/kernel/common/arming.bpf.h"
#include "kassist/kernel/common/brake.bpf.h"
#include "kassist/kernel/common/waiting.bpf.h"
#include "kassist/kernel/functions/hit_scratch.bpf.h"

enum { HURRY_NS = 2000000 }; /* the longest wait where no other thread can have the CPU meanwhile */

/* -- waiting ----------------------------------------------------------------------------------------- */

/* struct wait::wants: what ends it. */
enum wait_wants {
  UNTIL_ANSWERED = 1,
  UNTIL_TRACED = 2,
  UNTIL_BRAKE_STAYS = 4,
};

static __always_inline int is_over(struct wait *wait) {
  if (has_ended()) return 1;
  if ((wait->wants & UNTIL_ANSWERED) && is_answered(wait->number)) return 1;
  if ((wait->wants & UNTIL_BRAKE_STAYS) && !*(volatile __u32 *)&control.brake.leaving) return 1;
  if ((wait->wants & UNTIL_TRACED) && bpf_get_current_task_btf()->ptrace) return 1;
  return bpf_ktime_get_ns() >= wait->until_ns;
}

static long look_in_a_hurry(void *map, __u32 *key, __u32 *value, struct wait *wait) { return is_over(wait); }
static long go_on_in_a_hurry(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  bpf_for_each_map_elem(&steps, look_in_a_hurry, wait, 0);
  return is_over(wait);
}
__noinline int wait_in_a_hurry(__u32 wants, __u32 number) {
  struct wait wait = {.until_ns = bpf_ktime_get_ns() + HURRY_NS, .number = number, .wants = wants};
  bpf_for_each_map_elem(&steps, go_on_in_a_hurry, &wait, 0);
  return 0;
}

#if !MAY_SLEEP
static __always_inline int wait_patiently(__u32 wants, __u32 number, __u64 readable) {
  asm volatile(
      ""
      :
      : "r"(readable)); /* an unused argument would stay undefined, which the verifier does not permit */
  return wait_in_a_hurry(wants, number);
}
#endif

/* -- the tracer -------------------------------------------------------------------------------------- */

/* The drain's thread looks up the requested thread. */
__noinline int wake_drain(struct wire_mark *mark) {
  if (!mark) return 0;
  struct hit_scratch *claimed = claim_scratch();
  if (!claimed) return 0;
  begin(&claimed->scratch, bpf_get_current_task_btf(), mark);
  claimed->scratch.record.at_ns = bpf_ktime_get_ns();
  send(&claimed->scratch, mark, WIRE_NUDGE);
  *(volatile __u32 *)&claimed->claimed = 0;
  return 0;
}

/* The thread counts on the brake: either it sees that it must wait until tracees were given up, or they are not given
 * up for a second. */
static __always_inline int is_brake_leaving(void) {
  __sync_fetch_and_add(&control.brake.touches, 1);
  return *(volatile __u32 *)&control.brake.leaving;
}

/* The thread is to be the brake's tracee soon. 0: there is no brake now, or the thread has a tracer. */
static __always_inline int call_brake(struct task_struct *task, struct wire_mark *mark) {
  if (task->ptrace || !control.brake.tracer) return 0;
  ask_for(task, mark);
  wake_drain(mark);
  return 1;
}

/* The thread is a tracee when this returns, or it cannot become one in time. */
static __always_inline void be_braked_patiently(struct task_struct *task, struct wire_mark *mark, __u64 readable) {
  if (is_brake_leaving()) wait_patiently(UNTIL_BRAKE_STAYS, 0, readable);
  if (call_brake(task, mark)) wait_patiently(UNTIL_TRACED, 0, readable);
}
static __always_inline void be_braked_in_a_hurry(struct task_struct *task, struct wire_mark *mark) {
  if (is_brake_leaving()) wait_in_a_hurry(UNTIL_BRAKE_STAYS, 0);
  if (call_brake(task, mark)) wait_in_a_hurry(UNTIL_TRACED, 0);
}

/* -- questions and waits together ---------------------------------------------------------------------- */

/* `process` waits no longer for the answer. */
static __always_inline void unless_answered(__u32 kind, __u32 process, __u32 number) {
  if (!is_answered(number) && !has_ended()) put_question(kind | WIRE_WENT_ON, process, number);
}

static __always_inline void wait_for_answer_in_a_hurry(__u32 kind, __u32 process, __u32 number) {
  wait_in_a_hurry(UNTIL_ANSWERED, number);
  unless_answered(kind, process, number);
}

/* In a uprobe's program: the thread stands still in the brake's hands when it is back in user mode, or waits here.
 * `readable`: an address in its memory. */
__noinline int stand_until_answered(struct wire_mark *mark, __u32 kind, __u32 number, __u64 readable) {
  struct task_struct *task = bpf_get_current_task_btf();
  if (!mark) return 0;
  if (!is_brake_leaving() && call_brake(task, mark)) wait_patiently(UNTIL_ANSWERED | UNTIL_TRACED, number, readable);
  if (is_answered(number) || (is_brakes(task) && hold(task, 0))) return 0;
  wait_patiently(UNTIL_ANSWERED, number, readable);
  unless_answered(kind, tgid_of(task), number);
  return 0;
}
