/* Tuples. Those of maps have fixed places in d_run::keys; those that go out as a record are put there one after
 * another. */
#pragma once

#include "kassist/kernel/dtrace/record.bpf.h"

/* A string at a fixed place, filled up with zeros: equal strings are equal bytes. */
__noinline int d_KeyText(struct d_run *run, __u32 text, __u32 at) {
  if (!run) return D_OK;
  __u64 length = length_of(run, text), cell = (text_bytes + 7) & (D_TEXT_MOST * 2 - 8);
  struct d_text *key = (struct d_text *)&run->keys[at & (D_KEY_AREA - 1)];
  *key = (struct d_text){length, 0};
  copy(key + 1, length, bytes_of(run, text));
  __u64 rest = cell - length;
  asm volatile("" : "+r"(rest));
  if (rest <= D_TEXT_MOST) bpf_probe_read_kernel((__u8 *)(key + 1) + length, rest, (const void *)zeros);
  return D_OK;
}

static __always_inline __u64 key_room(struct d_run *run, __u64 bytes) {
  __u64 at = run->key_bytes;
  run->key_bytes = at + bytes <= D_KEY_AREA ? at + bytes : D_KEY_AREA + 8;
  return at & (D_KEY_AREA - 1);
}

/* A value in memory at a place in d_run::keys, filled up with zeros to whole words. */
static __always_inline int put_key_bytes(struct d_run *run, __u64 address, __u64 bytes, __u64 at) {
  int is_kernels = is_of_kernel(address);
  __u64 padded = (bytes + 7) & ~7ull;
  if (!is_kernels && !has_scratch(run, address, bytes)) return D_BAD_ADDRESS;
  run->fault_address = address;
  if (!padded) return D_OK;
  *(__u64 *)&run->keys[(at + padded - 8) & (D_KEY_AREA + D_TEXT_MOST - 8)] = 0;
  const void *from = is_kernels ? (const void *)address : scratch_at(run, address);
  asm volatile("" : "+r"(bytes));
  if (bytes > D_KEY_AREA) return D_OK; /* the tuple is dropped: key_room() */
  return bpf_probe_read_kernel(&run->keys[at & (D_KEY_AREA - 1)], bytes, from) ? D_BAD_ADDRESS : D_OK;
}

__noinline int d_KeyBytes(struct d_run *run, __u64 address, __u32 bytes, __u32 at) {
  return run ? put_key_bytes(run, address, bytes, at) : D_OK;
}

__noinline int d_outside_word(struct d_run *run, __u64 value) {
  if (run) *(__u64 *)&run->keys[key_room(run, 8)] = value;
  return D_OK;
}

__noinline int d_outside_text(struct d_run *run, __u32 text) {
  if (!run) return D_OK;
  __u64 length = length_of(run, text), padded = (length + 7) & ~7ull;
  *(__u64 *)&run->keys[key_room(run, 8)] = length;
  __u64 at = key_room(run, padded);
  if (!padded) return D_OK;
  *(__u64 *)&run->keys[(at + padded - 8) & (D_KEY_AREA + D_TEXT_MOST - 8)] = 0;
  copy(&run->keys[at], length, bytes_of(run, text));
  return D_OK;
}

/* `unused` is where a key of a map would be. */
__noinline int d_outside_bytes(struct d_run *run, __u64 address, __u32 bytes, __u32 unused) {
  if (!run) return D_OK;
  *(__u64 *)&run->keys[key_room(run, 8)] = bytes;
  return put_key_bytes(run, address, bytes, key_room(run, (bytes + 7ull) & ~7ull));
}

/* Sends an aggregation's update with a stack among its keys, or with a late value. It is appended to the clause's
 * record. */
__noinline int d_take_outside(struct d_run* run, __u32 aggregation, __u64 value, __s64 weight, __u32 code) {
  if (!run) return D_OK;
  __u64 bytes = run->key_bytes, at = (run->used + 7) & ~7ull;
  if (bytes > D_KEY_AREA || at + sizeof(struct d_record) + bytes > D_RECORD_MOST) {
    __sync_fetch_and_add(&control.aggregation_drops, 1);
    return D_OK;
  }
  struct d_record *record = record_at(run, at);
  fill_header(run, record, D_TAKEN, run->clause);
  record->item_bytes = bytes;
  record->value = value;
  record->aggregation = aggregation;
  record->weight = weight;
  record->code = code;
  asm volatile("" : "+r"(bytes));
  if (bytes <= D_KEY_AREA) bpf_probe_read_kernel(record_at(run, at + sizeof(*record)), bytes, run->keys);
  __u64 end = at + sizeof(*record) + bytes;
  int stack = run->key_stack ? copy_stack(run, end) : 0;
  record = record_at(run, at);
  record->stack_bytes = stack;
  send(run, at, end + (stack & (D_RECORD_AREA - 1)));
  return D_OK;
}
