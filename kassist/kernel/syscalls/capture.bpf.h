/* The interpreter of capture plans: copies the target's memory that the decoder will read into the record. */
#pragma once

#include "kassist/kernel/common/record.bpf.h"
#include "kassist/kernel/common/registers.bpf.h"
#include "kassist/kernel/syscalls/around.bpf.h"

enum { PAGE_BYTES = 4096, LARGEST_ERROR = 4095 };

/* Whether the program may wait for a page that is not present: one of a uprobe may, one of a tracepoint may not. */
#ifndef MAY_SLEEP
#define MAY_SLEEP 0
#endif
/* Whether plans may have operations that read context. */
#ifndef LOOKS_AROUND
#define LOOKS_AROUND 1
#endif
static __always_inline int bring_in(__u64 at) {
  char byte;
  return MAY_SLEEP && bpf_copy_from_user(&byte, sizeof(byte), (void *)at) == 0;
}

/* Bytes up to the end of the page that `at` is in. */
static __always_inline __u64 left_in_page(__u64 at) { return PAGE_BYTES - (at & (PAGE_BYTES - 1)); }

/* Copies `bytes` bytes, or those in the first page if the next one is not present. Says how many in `copied`. */
static __always_inline void copy_bytes(struct scratch *scratch, void *to, __u64 at, __u64 bytes) {
  __u64 first = left_in_page(at);
  if (bpf_probe_read_user(to, bytes, (void *)at)) {
    /* Untouched pages of a stack are not faulted in. */
    if (MAY_SLEEP && scratch->phase != WIRE_STACK && bpf_copy_from_user(to, bytes, (void *)at) == 0) first = bytes;
    else if (first >= bytes || bpf_probe_read_user(to, first, (void *)at)) return;
    bytes = first;
  }
  scratch->copied = bytes;
}

/* Copies a string up to and including its NUL. The kernel appends a NUL to a cut string. Newer kernels count the NUL
 * of an empty string: 6.12 does not, 6.18 does. 0: the memory is not readable yet. */
static __always_inline int copy_string(struct scratch *scratch, void *to, __u64 at, __u64 bytes) {
  long got = bpf_probe_read_user_str(to, bytes + 1, (void *)at);
  if (MAY_SLEEP && got < 0) {
    bring_in(at);
    if (left_in_page(at) < bytes) bring_in(at + left_in_page(at));
    got = bpf_probe_read_user_str(to, bytes + 1, (void *)at);
  }
  if (got < 0) return 0;
  scratch->ended = (__u64)got <= bytes;
  scratch->copied = (__u64)got > bytes ? bytes : got > 0 ? got : 1;
  return 1;
}

static __always_inline void note_miss(struct scratch *scratch, __u64 at) {
  struct misses *misses = &scratch->misses;
  misses->at[misses->count & (MAX_MISSES - 1)] = at;
  misses->count++;
  misses->phases |= scratch->phase;
}

/* Appends a chunk of at most WIRE_CHUNK_MAX bytes. Returns the number of bytes that were not present, 0 for a string
 * that ended. The results of the ways of copying are kept in memory: values that the verifier does not know make no
 * further paths. */
__noinline int append_memory(struct scratch *scratch, struct wire_mark *mark, __u64 at, __u64 bytes, int string) {
  if (!scratch || !mark) return 0;
  if (bytes > WIRE_CHUNK_MAX) bytes = WIRE_CHUNK_MAX;
  struct wire_chunk *chunk = new_chunk(scratch, mark);
  scratch->copied = scratch->ended = 0;
  if (!string || !copy_string(scratch, chunk + 1, at, bytes)) copy_bytes(scratch, chunk + 1, at, bytes);
  __u32 got = *(volatile __u32 *)&scratch->copied, ended = *(volatile __u32 *)&scratch->ended;
  chunk->at = at;
  chunk->kind = scratch->phase;
  chunk->missed = !ended && got < bytes;
  chunk->asked = bytes;
  chunk->bytes = got;
  end_chunk(scratch, got);
  if (!ended) return bytes - got;
  scratch->run.progress = ~0ull;
  return 0;
}

/* -- one op ------------------------------------------------------------------------------------- */

static __always_inline __u64 slot(struct scratch *scratch, __u32 index) {
  return scratch->run.slots[index & (WIRE_SLOTS - 1)];
}

/* Returns the result of many branches from a function of its own: to the verifier it is one unknown number. */
__noinline __u64 count_of(struct scratch *scratch, const struct wire_op *op) {
  if (!scratch || !op) return 0;
  __u64 count = slot(scratch, op->count);
  if (op->flags & WIRE_OP_HALF) count = (__u32)count;
  if (op->flags & WIRE_OP_IOCTL) count = op->to && (count >> 8 & 0xff) != op->to ? 0 : count >> 16 & 0x3fff;
  if ((long long)count < 0) return op->count == WIRE_RESULT ? 0 : ~0u;
  if (op->flags & WIRE_OP_BITS) count = (count + 63) / 64 * 8;
  if (op->flags & WIRE_OP_PAGES) count = (count + PAGE_BYTES - 1) / PAGE_BYTES;
  return count;
}

/* For a counted argument. */
__noinline __u64 bytes_of(struct scratch *scratch, const struct wire_op *op) {
  if (!scratch || !op) return 0;
  __u64 most = op->max;
  __u64 count = count_of(scratch, op);
  if (op->flags & WIRE_OP_MESSAGES) {
    if (most > op->element && !is_netlink_socket(scratch->run.slots[0])) most = op->element;
    return count < most ? count : most;
  }
  if (count > most) return most;
  count = (count + op->body) * op->element;
  return count < most ? count : most;
}

static __always_inline void next_op(struct scratch *scratch) {
  scratch->run.op++;
  scratch->run.progress = 0;
}

enum { WIDE_CHARACTER_BYTES = 4 };

static __always_inline void copy_as_wide(struct scratch* scratch, struct wire_mark* mark, const struct wire_op* op,
                                         __u64 at) {
  if (op->kind == WIRE_OP_STRING && op->element > 1 && scratch->ended && scratch->copied <= WIDE_CHARACTER_BYTES)
    append_memory(scratch, mark, at, op->element, 0);
}

/* A chunk for each step, until all is there. */
static __always_inline void copy(struct scratch *scratch, struct wire_mark *mark, const struct wire_op *op) {
  __u64 base = slot(scratch, op->at), progress = scratch->run.progress;
  __u64 bytes = !base ? 0 : op->flags & WIRE_OP_COUNTED ? bytes_of(scratch, op) : op->max;
  if (progress >= bytes) return next_op(scratch);
  __u64 wanted = bytes - progress;
  if (wanted > WIRE_CHUNK_MAX) wanted = WIRE_CHUNK_MAX;
  __u64 missing = append_memory(scratch, mark, base + op->offset + progress, wanted, op->kind == WIRE_OP_STRING);
  if (missing) {
    if (missing == wanted || !(op->flags & WIRE_OP_MAY_END)) {
      scratch->record.flags |= WIRE_MISSED;
      note_miss(scratch, base + op->offset + progress + wanted - missing);
    }
    return next_op(scratch);
  }
  copy_as_wide(scratch, mark, op, base + op->offset);
  if (scratch->run.progress == ~0ull || bytes - progress <= WIRE_CHUNK_MAX) return next_op(scratch);
  scratch->run.progress += WIRE_CHUNK_MAX;
}

__noinline __u64 number_at(__u64 at, __u32 bytes) {
  __u64 wide = 0;
  __u32 narrow = 0;
  if (bytes == sizeof(wide)) {
    if (bpf_probe_read_user(&wide, sizeof(wide), (void*)at) && MAY_SLEEP)
      bpf_copy_from_user(&wide, sizeof(wide), (void*)at);
    return wide;
  }
  if (bpf_probe_read_user(&narrow, sizeof(narrow), (void *)at) && MAY_SLEEP)
    bpf_copy_from_user(&narrow, sizeof(narrow), (void *)at);
  return bytes == 1 ? (__u8)narrow : bytes == 2 ? (__u16)narrow : narrow;
}

static __always_inline void load(struct scratch *scratch, const struct wire_op *op) {
  __u64 base = slot(scratch, op->at);
  scratch->run.slots[op->to & (WIRE_SLOTS - 1)] = base ? number_at(base + op->offset, op->element) : 0;
  next_op(scratch);
}

static __always_inline void skip_or_not(struct scratch *scratch, const struct wire_op *op) {
  __u64 value = slot(scratch, op->at);
  if (value < op->element || value > op->max) scratch->run.op += op->body;
  next_op(scratch);
}

/* One word for each step. */
static __always_inline void count_words(struct scratch *scratch, const struct wire_op *op) {
  __u64 base = slot(scratch, op->at), counted = scratch->run.progress;
  __u64 more = base && counted < op->max ? number_at(base + op->offset + counted * op->element, op->element) : 0;
  scratch->run.progress = counted + 1;
  if (more) return;
  scratch->run.slots[op->to & (WIRE_SLOTS - 1)] = counted + 1;
  next_op(scratch);
}

static __always_inline void begin_loop(struct scratch *scratch, const struct wire_op *op) {
  struct run *run = &scratch->run;
  __u64 base = slot(scratch, op->at), count = count_of(scratch, op);
  if (count > op->max) count = op->max;
  run->progress = 0;
  run->op++;
  if (!base || !count || run->depth >= WIRE_LOOPS) {
    run->op += op->body;
    return;
  }
  struct loop *loop = &run->loops[run->depth & (WIRE_LOOPS - 1)];
  run->depth++;
  loop->first = run->op;
  loop->end = run->op + op->body;
  loop->left = count;
  loop->item = base + op->offset;
  loop->bytes = op->element;
  loop->to = op->to;
  run->slots[op->to & (WIRE_SLOTS - 1)] = loop->item;
}

/* At the end of a loop's body: the next item, or out of it. */
static __always_inline int at_loop_end(struct scratch *scratch) {
  struct run *run = &scratch->run;
  if (run->depth == 0) return 0;
  struct loop *loop = &run->loops[(run->depth - 1) & (WIRE_LOOPS - 1)];
  if (run->op != loop->end) return 0;
  if (--loop->left == 0) {
    run->depth--;
    return 1;
  }
  loop->item += loop->bytes;
  run->op = loop->first;
  run->slots[loop->to & (WIRE_SLOTS - 1)] = loop->item;
  return 1;
}

static __always_inline int failed(struct scratch *scratch) {
  return scratch->record.regs[WIRE_RESULT] >= -(__u64)LARGEST_ERROR;
}

/* Returns 0 when the plan has ended. */
__noinline int step(struct scratch *scratch, struct wire_mark *mark) {
  if (!scratch || !mark) return 0;
  struct run *run = &scratch->run;
  if (at_loop_end(scratch)) return run->depth || run->op < run->end;
  __u32 key = run->op;
  const struct wire_op *op = bpf_map_lookup_elem(&ops, &key);
  if (!op) return 0;
  if ((op->flags & WIRE_OP_IF_DONE) && failed(scratch)) {
    run->op += 1 + (op->kind == WIRE_OP_EACH ? op->body : 0);
    return run->depth || run->op < run->end;
  }
  switch (op->kind) {
    case WIRE_OP_STRING:
    case WIRE_OP_BYTES: copy(scratch, mark, op); break;
    case WIRE_OP_LOAD: load(scratch, op); break;
    case WIRE_OP_MOVE:
      run->slots[op->to & (WIRE_SLOTS - 1)] = slot(scratch, op->at);
      next_op(scratch);
      break;
    case WIRE_OP_WORDS: count_words(scratch, op); break;
    case WIRE_OP_EACH: begin_loop(scratch, op); break;
    case WIRE_OP_WHEN: skip_or_not(scratch, op); break;
    default:
      if (LOOKS_AROUND && look_around(scratch, op, run->progress)) run->progress++;
      else next_op(scratch);
  }
  return run->depth || run->op < run->end;
}

/* -- all of them -------------------------------------------------------------------------------- */

/* Most plans end within the first steps; the others go on in a loop that the verifier walks once. All steps together
 * are enough for two vectors of as many words as a plan asks for: each takes four. */
enum { FIRST_STEPS = 2, STEPS_EACH = 64 };

struct interpreter {
  struct scratch *scratch;
  struct wire_mark *mark;
};

static long more_steps(void *map, __u32 *key, __u32 *value, struct interpreter *interpreter) {
  struct scratch *scratch = interpreter->scratch;
  struct wire_mark *mark = interpreter->mark;
  for (int i = 0; i < STEPS_EACH; i++)
    if (!step(scratch, mark)) return 1;
  return 0;
}

static __always_inline void all_steps(struct scratch *scratch, struct wire_mark *mark) {
  for (int i = 0; i < FIRST_STEPS; i++)
    if (!step(scratch, mark)) return;
  struct interpreter interpreter = {scratch, mark};
  bpf_for_each_map_elem(&steps, more_steps, &interpreter, 0);
}

/* Runs ops `first` .. `first + count - 1` on the record's registers. `phase`: the kind of chunks. */
__noinline int run_ops(struct scratch *scratch, struct wire_mark *mark, __u32 first, __u32 count, __u32 phase) {
  if (!scratch || !mark || !count) return 0;
  struct run *run = &scratch->run;
  for (int i = 0; i < WIRE_REGS; i++) run->slots[i] = scratch->record.regs[i];
  scratch->phase = phase;
  run->op = first;
  run->end = first + count;
  run->progress = 0;
  run->depth = 0;
  scratch->listed = 0;
  all_steps(scratch, mark);
  if (LOOKS_AROUND) append_listed(scratch, mark);
  return 0;
}

/* -- plans -------------------------------------------------------------------------------------- */

/* Notes the plan of the call that the current thread is in; the mark is its. Calls that no table knows are reported. */
__noinline int learn_plan(struct wire_mark *mark) {
  if (!mark) return 0;
  mark->plan = (struct wire_plan){.flags = WIRE_PLAN_WANTED | WIRE_PLAN_AT_ENTER};
  if (mark->nr >= WIRE_CALLS) return 0;
  __u32 call = mark->abi * WIRE_CALLS + mark->nr;
  const struct wire_plan *plan = bpf_map_lookup_elem(&plans, &call);
  if (!plan) return 0;
  mark->plan = *plan;
  if (!(plan->flags & WIRE_PLAN_COMMANDS)) return 0;
  __u32 command = argument(mark->abi, plan->command_reg) & plan->command_mask;
  __u32 place = wire_bucket_of(call, command, control.plan_seed);
  __u64 key = wire_key_of(call, command);
  const struct wire_bucket *bucket = bpf_map_lookup_elem(&command_plans, &place);
  if (!bucket) return 0;
  mark->place = WIRE_BUCKET;
#pragma unroll
  for (int i = 0; i < WIRE_BUCKET; i++)
    if (bucket->keys[i] == key) *(volatile __u8 *)&mark->place = i;
  place = *(volatile __u8 *)&mark->place;
  if (place < WIRE_BUCKET) mark->plan = bucket->plans[place];
  return 0;
}

/* Whether the command of a call may have a plan of its own: of fcntl(2) few have, and they are not the common ones. */
static __always_inline int may_have_own_plan(struct pt_regs *regs, const struct wire_plan *plan, __u8 abi) {
  if (abi == ABI_I386 || plan->command_reg != 1) return 1;
  return plan->commands >> wire_bit_of(regs->si) & 1;
}

/* For calls that one look at the table decides, inline: a called function costs ten nanoseconds. */
static __always_inline void note_plan(struct pt_regs *regs, struct wire_mark *mark) {
  __u32 call = mark->abi * WIRE_CALLS + mark->nr;
  const struct wire_plan *plan = mark->nr < WIRE_CALLS ? bpf_map_lookup_elem(&plans, &call) : 0;
  if (plan && (!(plan->flags & WIRE_PLAN_COMMANDS) || !may_have_own_plan(regs, plan, mark->abi))) mark->plan = *plan;
  else learn_plan(mark);
}

static __always_inline void run_at_enter(struct scratch *scratch, struct wire_mark *mark) {
  if (mark->plan.enter_ops) run_ops(scratch, mark, mark->plan.first, mark->plan.enter_ops, WIRE_MEMORY);
}

static __always_inline void run_at_exit(struct scratch *scratch, struct wire_mark *mark) {
  __u32 first = mark->plan.first + mark->plan.enter_ops;
  if (mark->plan.exit_ops) run_ops(scratch, mark, first, mark->plan.exit_ops, WIRE_RESULTS);
}
