/* Requests to arm code before a thread goes on. The including object has `control`, with a struct wire_arming. */
#pragma once

#include "kassist/wire/arming_wire.h"

/* struct wire_question each; wakes the replying thread. */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, WIRE_QUESTION_BYTES);
} questions SEC(".maps");

static __always_inline void put_question(__u32 kind, __u32 process, __u32 number) {
  struct wire_question question = {.kind = kind,
                                   .process = process,
                                   .thread = own_tid(),
                                   .number = number,
                                   .at_ns = bpf_ktime_get_ns()};
  if (bpf_ringbuf_output(&questions, &question, sizeof(question), BPF_RB_FORCE_WAKEUP))
    __sync_fetch_and_add(&control.arming.unasked, 1);
}

/* `kind`: enum wire_question_kind. The question's number. */
__noinline int ask_about(__u32 kind, __u32 process) {
  __u32 number = __sync_fetch_and_add(&control.arming.questions, 1) + 1;
  put_question(kind, process, number);
  return number;
}

/* Numbers wrap to 0 after the last: an open request is at most half of all ago. */
static __always_inline int is_answered(__u32 number) {
  return (int)(*(volatile __u32 *)&control.arming.answers - number) >= 0;
}
