/* Functions that record: dlang/machine/record.hpp has the format, kassist/wire/dtrace_wire.h the header. */
#pragma once

#include "kassist/kernel/dtrace/memory.bpf.h"
#include "kassist/kernel/dtrace/stack.bpf.h"

/* Too large an item makes `used` larger than D_RECORD_MOST: then the whole record is lost, and counted. */
static __always_inline void *record_at(struct d_run *run, __u64 at) { return &run->record[within(D_RECORD_AREA, at)]; }

static __always_inline __u64 room_for(struct d_run *run, __u64 bytes) {
  __u64 at = run->used;
  run->used = at + bytes <= D_RECORD_MOST ? at + bytes : D_RECORD_MOST + 8;
  return at;
}

static __always_inline void put_word(struct d_run* run, __u64 value) {
  *(__u64*)record_at(run, room_for(run, 8)) = value;
}

static __always_inline void close_action(struct d_run *run) {
  __u64 open = run->open;
  if (open) *(__u32 *)record_at(run, open + 4) = run->used - open - 8;
  run->open = 0;
}

__noinline int d_Record(struct d_run *run, __u32 action) {
  if (!run) return 0;
  close_action(run);
  run->open = run->used;
  put_word(run, action);
  return D_OK;
}

__noinline int d_PutInteger(struct d_run *run, __u64 value) {
  if (run) put_word(run, value);
  return D_OK;
}

/* Zeros up to the next word are put first. False: not all of it could be read. */
static __always_inline int put_bytes(struct d_run *run, const void *from, __u64 bytes) {
  __u64 padded = (bytes + 7) & ~7ull;
  put_word(run, bytes);
  __u64 at = room_for(run, padded);
  if (!padded) return 1;
  *(__u64 *)record_at(run, at + padded - 8) = 0;
  asm volatile("" : "+r"(bytes)); /* bounded once more: verifiers up to 6.12's forget it */
  return bytes <= D_SCRATCH && !bpf_probe_read_kernel(record_at(run, at), bytes, from);
}

__noinline int d_PutText(struct d_run *run, __u32 text) {
  if (run) put_bytes(run, bytes_of(run, text), length_of(run, text));
  return D_OK;
}

__noinline int d_PutBytes(struct d_run *run, __u64 address, __u64 bytes) {
  if (!run) return D_OK;
  int is_kernels = is_of_kernel(address);
  if (!is_kernels && !has_scratch(run, address, bytes)) return D_BAD_ADDRESS;
  run->fault_address = address;
  const void *from = is_kernels ? (const void *)address : scratch_at(run, address);
  if (!put_bytes(run, from, bytes) && is_kernels) return D_BAD_ADDRESS;
  return D_OK;
}

/* The current process's id, where strut has a pid namespace of its own. */
__noinline int d_own_process(struct d_run *run) { return run ? (int)own_tgid() : 0; }

__noinline int d_PutAddress(struct d_run *run, __u64 address) {
  if (!run) return D_OK;
  put_word(run, own_tgid());
  put_word(run, address);
  return D_OK;
}

__noinline int d_PutKernelAddress(struct d_run *run, __u64 address) {
  if (!run) return D_OK;
  put_word(run, 0);
  put_word(run, address);
  return D_OK;
}

__noinline int d_PutUserStack(struct d_run *run, __u64 most) {
  if (!run) return D_OK;
  put_word(run, own_tgid());
  put_word(run, D_STACK_WANTED | (most & 0xffff));
  run->wants_stack = 1;
  return D_OK;
}

/* -- sending -- */

static __always_inline void fill_header(struct d_run *run, struct d_record *record, __u32 kind, __u32 clause) {
  record->kind = kind;
  record->probe = run->probe;
  record->clause = clause;
  record->cpu = bpf_get_smp_processor_id();
  record->pid = own_tgid();
  record->tid = own_tid();
  record->time_ns = run->time_ns;
}

/* Sends the bytes of d_run::record from `at` to `end`. The reader is not woken for each. */
static __always_inline void send(struct d_run *run, __u64 at, __u64 end) {
  __u64 bytes = end - at, flags = BPF_RB_NO_WAKEUP;
  __u32 wake_bytes = *(volatile __u32 *)&control.wake_bytes;
  if (wake_bytes != ~0u && bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) + bytes >= wake_bytes)
    flags = BPF_RB_FORCE_WAKEUP;
  asm volatile("" : "+r"(bytes));
  if (bytes > D_RECORD_AREA) return; /* cannot be: for the verifier */
  if (bpf_ringbuf_output(&ring, &run->record[at & (D_RECORD_AREA / 2 - 1)], bytes, flags)) run->lost++;
}

/* At the end of a clause that recorded something. */
__noinline int d_commit(struct d_run *run, __u32 clause) {
  if (!run) return 0;
  close_action(run);
  __u64 end = run->used;
  if (end > D_RECORD_MOST) {
    run->lost++;
    return 0;
  }
  struct d_record *record = (struct d_record *)run->record;
  fill_header(run, record, D_FIRED, clause);
  record->item_bytes = end - sizeof(*record);
  record->stack_bytes = 0;
  if (run->wants_stack) {
    record->stack_bytes = copy_stack(run, end);
    end += *(volatile __u32 *)&record->stack_bytes;
  }
  run->fired++;
  send(run, 0, end);
  return 0;
}

static __always_inline int is_first_clause(struct d_run *run, __u32 clause) {
  for (__u32 i = 0; i < D_CLAUSE_WORDS; i++) {
    __u64 word = run->self.clauses[i];
    if (clause < i * 64) break;
    if (clause < i * 64 + 64) word &= (1ull << (clause & 63)) - 1;
    if (word) return 0;
  }
  return 1;
}

/* User memory from where processes may have it, which may merely not be there yet. */
static __always_inline int may_come(__u64 address) { return address >= 1 << 16 && address < 1ull << 47; }

/* At a fault: the clause's record is dropped. */
__noinline int d_faulted(struct d_run *run, __u32 clause, __u32 code, __u32 fault) {
  if (!run) return 0;
  struct d_record *record = (struct d_record *)run->record;
  fill_header(run, record, D_FAULTED, clause);
  record->item_bytes = record->stack_bytes = 0;
  record->fault = fault;
  record->code = code & ~(D_AGAIN | D_AGAIN_ALONE);
  record->address = fault == D_BAD_ADDRESS ? run->fault_address : 0;
  int again = code & D_AGAIN || (code & D_AGAIN_ALONE && is_first_clause(run, clause));
  if (again && run->may_wait && fault == D_BAD_ADDRESS && may_come(run->fault_address)) run->left = D_WAITS;
  else send(run, 0, sizeof(*record));
  return 0;
}

/* exit(): the clause goes on. */
__noinline int d_Exit(struct d_run *run, __u64 status) {
  if (!run) return 0;
  control.status = status;
  *(volatile __u32 *)&control.exited = 1;
  *(volatile __u32 *)&control.is_quiet = 1;
  run->left = 1;
  return D_OK;
}
