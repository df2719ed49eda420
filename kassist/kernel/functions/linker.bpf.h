/* The dynamic linker says that it has mapped something: the thread waits until that is armed. */
#pragma once

#include "kassist/kernel/common/linker_state.bpf.h"
#include "kassist/kernel/common/questions.bpf.h"

/* `state_at`: the address of r_state. */
__noinline int at_linker(struct wire_mark *mark, __u64 state_at) {
  __u32 process = own_tgid();
  if (!mark || process == control.brake.spared) return 0;
  if (!is_consistent(state_at)) { /* the tracer is likely to be there by the time it is done */
    call_brake(bpf_get_current_task_btf(), mark);
    return 0;
  }
  __u32 number = ask_about(WIRE_ASKS_LIBRARY, process);
  return stand_until_answered(mark, WIRE_ASKS_LIBRARY, number, state_at);
}
