/* The program that reports: it holds all that copies and sends, and the programs at the hooks go on in it by a tail call.
 * So the interpreter is verified once at start-up, not for each hook. */
#pragma once

#include "kassist/kernel/choice.bpf.h"
#include "kassist/kernel/events.bpf.h"

/* wire_mark::duty: what is to be reported of the current thread. */
enum duty {
  DUTY_CALL = 1,   /* the call that it is in */
  DUTY_ABI,        /* that its calls are of another ABI now */
  DUTY_WHOLE_CALL, /* a call that has returned, and of which nothing was reported */
  DUTY_DENIED,     /* a return without an entry: if it is wanted, as a whole call */
  DUTY_RETURN,     /* the return from the call that was reported */
  DUTY_EXEC,       /* it runs another program */
  DUTY_EXIT,
  DUTY_SIGNAL,     /* one is delivered to it */
  DUTY_CODE,       /* a call that is not wanted may have made code of memory */
};

/* By duty; all are `report`. */
struct {
  __uint(type, BPF_MAP_TYPE_PROG_ARRAY);
  __uint(max_entries, WIRE_DUTIES);
  __type(key, __u32);
  __type(value, __u32);
} reporter SEC(".maps");

/* Ends the program at the hook. What stands behind it is run where there is no reporter yet, or no more.
 * An index that is known to the verifier would become a jump that the kernel patches, and waits for when it takes it out:
 * 20 ms and more at the end of each run. */
static __always_inline void leave_to_reporter(void *context, struct wire_mark *mark, __u8 duty) {
  mark->duty = duty;
  bpf_tail_call(context, &reporter, *(volatile __u8 *)&mark->duty);
}

/* What a new program changes, once it is told of. */
static __always_inline void settle_exec(struct wire_mark *mark) {
  if (detach_on_exec && mark->state == WIRE_FOLLOWED) {
    mark->state = WIRE_LET_GO;
    mark->in_call = WIRE_PASSED;
  }
  if (mark->state == WIRE_STARTED) mark->state = WIRE_FOLLOWED;
  if (choice.everybody) look_again(bpf_get_current_task_btf(), mark);
}

/* It is attached nowhere. The context is that of the hook. */
SEC("raw_tp/")
int report(__u64 *context) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, bpf_get_current_task_btf(), 0, 0);
  if (!mark) return 0;
  __u8 duty = mark->duty;
  if (duty == DUTY_CALL) {
    if (mark->in_call == WIRE_INSIDE) announce(mark, WIRE_ENTER);
  } else if (duty == DUTY_ABI) {
    if (!announce(mark, WIRE_ABI)) mark->abi = mark->told_abi; /* the next call tells it */
  } else if (duty == DUTY_EXEC) {
    tell_exec(mark, context[1], context[2]);
    settle_exec(mark);
  } else if (duty == DUTY_EXIT) {
    tell_exit(mark, WIRE_THREAD_EXIT);
  } else if (duty == DUTY_SIGNAL) {
    tell_signal(mark, context[0], context[1], context[2]);
  } else if (duty == DUTY_CODE) {
    tell_code(mark, context[1]);
  } else if (duty != DUTY_DENIED || enter_late(mark)) {
    tell_return(mark, context[1], duty != DUTY_RETURN);
  }
  return 0;
}
