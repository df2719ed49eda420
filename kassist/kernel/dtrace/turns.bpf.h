/* Repeated string instructions (rep movsb, repne scasb ...). The kernel steps an instruction with a uprobe by itself,
 * and a CPU that steps stops after each turn: the thread hits the uprobe again. */
#pragma once

#include "kassist/kernel/common/uprobe.bpf.h"
#include "kassist/kernel/dtrace/operand.bpf.h"

/* Whether the turn that begins now is the last one for the elements that it compares. */
static __always_inline int ends_by_elements(__u8 how, __u64 to, __u64 from, __u64 value) {
  __u64 element = 0, bytes = 1ull << (how & D_TURN_BYTES);
  asm volatile("" : "+r"(bytes)); /* else read_word()'s bounds are left out, which the verifier needs */
  if (!(how & (D_TURNS_SCAN | D_TURNS_COMPARE)) || read_word(&element, bytes, to)) return 0;
  if (how & D_TURNS_COMPARE) {
    value = 0;
    if (read_word(&value, bytes, from)) return 0;
  }
  int is_equal = (element ^ value) << ((64 - bytes * 8) & 63) == 0;
  return is_equal == !!(how & D_TURNS_TO_EQUAL);
}

/* Whether this hit is a further turn of an instruction that the thread has hit before. Elements are compared before the
 * turn: what ended an instruction is overwritten by some programs before they go on with the rest. If the kernel has no
 * storage for the thread, it is not known: the hit does not fire, and is counted as lost. */
static __always_inline int is_further_turn(__u8 how, struct hit_registers *regs) {
  if ((how & (D_TURNS | D_NO_TURNS)) != D_TURNS) return 0;
  struct d_turn_of *last = bpf_task_storage_get(&turns, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (!last) {
    count_lost_hit();
    return 1;
  }
  __u64 ip = IN(regs, ip), sp = IN(regs, sp), count = IN(regs, cx);
  int is_next = last->goes_on && last->ip == ip && last->sp == sp && last->count - 1 == count;
  last->ip = ip;
  last->sp = sp;
  last->count = count;
  last->goes_on = count > 1 && !ends_by_elements(how, IN(regs, di), IN(regs, si), IN(regs, ax));
  return is_next;
}
