/* Most calls have plain plans and return before another event of their thread: straight-line code reports them into
 * their CPU's lane. Unusual calls are left to tell_return(): nothing has been reported then. */
#pragma once

#include "kassist/kernel/syscalls/events.bpf.h"

/* A lane for each CPU. User space sets their number and size before loading. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, sizeof(struct wire_lane));
} lanes SEC(".maps");

/* A record in a lane, as far as it may go. */
struct lane_record {
  __u64 length;
  union {
    struct wire_record record;
    __u8 bytes[WIRE_LANE_MOST - sizeof(__u64)];
  };
};

/* How many bytes an op wants, as bytes_of(). */
static __always_inline __u64 bytes_wanted(const struct wire_op *op, const struct wire_record *record) {
  __u64 most = op->max;
  if (!(op->flags & WIRE_OP_COUNTED)) return most;
  __u64 count = record->regs[op->count & (WIRE_REGS - 1)];
  if (op->flags & WIRE_OP_HALF) count = (__u32)count;
  if ((long long)count < 0) return op->count == WIRE_RESULT ? 0 : most;
  if (count > most) return most;
  count = (count + op->body) * op->element;
  return count < most ? count : most;
}

/* Performs an operation, as copy() does: appends its memory to the record. 0: some of it is not present, or it is
 * too long. */
__noinline int copy_to_lane(struct lane_record *place, const struct wire_op *op, __u32 phase) {
  if (!place || !op) return 0;
  struct wire_record *record = &place->record;
  if ((op->flags & WIRE_OP_IF_DONE) && record->regs[WIRE_RESULT] >= -(__u64)LARGEST_ERROR) return 1;
  __u64 base = record->regs[op->at & (WIRE_REGS - 1)], bytes = base ? bytes_wanted(op, record) : 0;
  if (!bytes) return 1;
  __u32 used = record->bytes, copied = bytes;
  if (used > WIRE_LANE_FULL || bytes > WIRE_CHUNK_MAX) return 0;
  struct wire_chunk *chunk = (void *)&place->bytes[used];
  void *from = (void *)(base + op->offset);
  if (op->kind == WIRE_OP_STRING) {
    long got = bpf_probe_read_user_str(chunk + 1, bytes + 1, from);
    if (got < 0) return 0;
    if (got < (long)bytes) copied = got > 0 ? got : 1; /* older kernels do not count an empty string's NUL */
  } else if (bpf_probe_read_user(chunk + 1, bytes, from)) {
    return 0;
  }
  *chunk = (struct wire_chunk){.at = (__u64)from, .bytes = copied, .kind = phase, .asked = bytes};
  record->bytes = used + sizeof(*chunk) + ((copied + 7) & ~7u);
  return 1;
}

static __always_inline int copy_by_plan(struct lane_record *place, const struct wire_plan *plan) {
  for (__u32 i = 0; i < WIRE_PLAIN_OPS; i++) {
    if (i >= (__u32)plan->enter_ops + plan->exit_ops) return 1;
    __u32 key = plan->first + i;
    const struct wire_op *op = bpf_map_lookup_elem(&ops, &key);
    if (!op || !copy_to_lane(place, op, i < plan->enter_ops ? WIRE_MEMORY : WIRE_RESULTS)) return 0;
  }
  return 1;
}

static __always_inline void head_record(struct wire_record *record, struct task_struct *task, struct pt_regs *regs,
                                        struct wire_mark *mark, long result) {
  record->bytes = sizeof(*record);
  record->kind = WIRE_CALL;
  record->abi = mark->abi;
  record->flags = record->site = 0;
  record->tgid = tgid_of(task);
  record->tid = tid_of(task);
  record->sequence = mark->sequence;
  record->entered_ns = mark->entered_ns;
  record->at_ns = return_times ? bpf_ktime_get_ns() : mark->entered_ns;
  record->nr = mark->nr;
  record->function = 0;
  record->system_ns = system_time(task, mark, record->at_ns);
  read_registers(record, regs, mark->abi);
  record->regs[WIRE_RESULT] = result;
}

/* Where the next record of this CPU is to lie, behind its length; 0: not in the lane. The drain is awake as long as its
 * wish is not reached; if it is, the record that goes to the ring instead wakes it. */
static __always_inline struct lane_record *place_in_lane(struct wire_lane *lane) {
  __u64 fill = lane->head - lane->tail;
  if (fill >= control.consumer.lane_wake_bytes) {
    control.consumer.lane_wake_bytes = ~0u;
    control.consumer.wake_bytes = 0;
    return 0;
  }
  if (fill > lane_bytes - WIRE_LANE_MOST) return 0;
  return (void *)(lane + 1) + (lane->head & (lane_bytes - 1));
}

/* Reports a returning call, if there is nothing else to report. 0: it was not reported. */
static __always_inline int report_in_lane(struct task_struct* task, struct pt_regs* regs, struct wire_mark* mark,
                                        long result) {
  if (!lane_bytes || stack_bytes) return 0;
  if (!(mark->plan.flags & WIRE_PLAN_PLAIN) || mark->in_call != WIRE_INSIDE || mark->signalled || mark->abi == ABI_I386)
    return 0;
  if (task->pending.signal.sig[0] & SIGKILL_BIT) return 0;
  __u32 cpu = bpf_get_smp_processor_id();
  struct wire_lane *lane = bpf_map_lookup_elem(&lanes, &cpu);
  if (!lane) return 0;
  struct lane_record *place = place_in_lane(lane);
  if (!place) return 0;
  head_record(&place->record, task, regs, mark, result);
  if (!copy_by_plan(place, &mark->plan)) return 0;
  place->length = place->record.bytes;
  mark->sequence++;
  *(volatile __u64*)&lane->head +=
      sizeof(place->length) + place->record.bytes; /* now it can be read: x86 keeps stores in order */
  return 1;
}
