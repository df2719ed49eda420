/* Arguments of probes at sites, by operands: of statically defined probes those of their notes. */
#pragma once

#include "kassist/kernel/common/uprobe.bpf.h"
#include "kassist/kernel/dtrace/memory.bpf.h"

static __always_inline struct d_operand *operand_at(__u32 place) {
  if (place < D_FIRST_OPERANDS) return bpf_map_lookup_elem(&first_operands, &place);
  __u32 chunk = (place - D_FIRST_OPERANDS) / D_OPERANDS_EACH, index = (place - D_FIRST_OPERANDS) % D_OPERANDS_EACH;
  void *inner = bpf_map_lookup_elem(&operands, &chunk);
  return inner ? bpf_map_lookup_elem(inner, &index) : 0;
}

static __always_inline __u64 content_of(__u8 number) {
  __u64 value = 0, regs = (__u64)bpf_task_pt_regs(bpf_get_current_task_btf());
  if (number != D_NO_REGISTER) bpf_probe_read_kernel(&value, sizeof(value), (void *)(regs + number * 8));
  return value;
}

static __always_inline __u64 extend(__u64 value, struct d_operand *operand) {
  __u32 unused = (64 - operand->bytes * 8) & 63;
  value <<= unused;
  return operand->is_signed ? (__u64)((__s64)value >> unused) : value >> unused;
}

static __always_inline int read_word(__u64 *to, __u64 bytes, __u64 from) {
  /* The bound is checked on the register that is passed: 6.1's verifier does not carry it over to a copy. */
  asm volatile("%[bytes] &= 15\n"
               "if %[bytes] < 9 goto +1\n"
               "%[bytes] = 8"
               : [bytes] "+r"(bytes));
  if (!bpf_probe_read_user(to, bytes, (void *)from)) return 0;
  return touch_page(from) ? -1 : bpf_probe_read_user(to, bytes, (void *)from);
}

/* Whether a branch is taken (strut::SiteOperand::Place::Outcome). */
static __always_inline int is_outcome(struct d_operand *operand, __u64 base) {
  __u8 flags = offsetof(struct hit_registers, flags) / 8;
  if (operand->condition <= 15 && !holds(operand->condition, content_of(flags))) return 0;
  if (operand->base == D_NO_REGISTER) return 1;
  int is_equal = extend(base, operand) == (__u64)operand->displacement;
  return is_equal == !operand->displacement;
}

/* The value of an operand into *to; not 0: it could not be read, and *to is the address. */
static __always_inline int read_operand(struct d_operand *operand, __u64 *to) {
  __u64 value = 0, base = content_of(operand->base), at = operand->displacement + base;
  int is_unread = operand->place == D_UNKNOWN;
  if (operand->place == D_CONSTANT) value = extend(at, operand);
  if (operand->place == D_REGISTER) value = extend(base >> (operand->skip * 8 & 63), operand);
  if (operand->place == D_OUTCOME) value = is_outcome(operand, base);
  if (operand->place == D_MEMORY) {
    at += content_of(operand->index) * operand->scale;
    is_unread = read_word(&value, operand->bytes, at) != 0;
    value = is_unread ? at : extend(value, operand);
  }
  *to = value;
  return is_unread;
}

/* args[number] of a run, by the operand at a place of the table. */
__noinline int d_SiteArgument(struct d_run *run, __u32 number, __u32 place) {
  if (!run || number >= D_ARGUMENTS) return D_OK;
  struct d_operand *operand = operand_at(place);
  __u64 value = 0;
  if (!operand) return D_OK;
  if (read_operand(operand, &value)) run->unread |= 1 << number;
  run->args[number] = value;
  return D_OK;
}

/* A variable of the program that is probed. */
__noinline int d_ProgramVariable(struct d_run *run, __u32 to, __u32 number) {
  if (!run) return D_OK;
  struct d_operand *operand = operand_at(run->variables + number);
  __u64 value = 0;
  int is_unread = !operand || read_operand(operand, &value);
  if (is_unread) run->fault_address = value;
  else *integer(run, to) = value;
  return is_unread ? D_BAD_ADDRESS : D_OK;
}
