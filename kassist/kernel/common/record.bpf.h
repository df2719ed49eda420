/* The record under construction, two for each CPU: a signal may be generated in an interrupt of another program. */
#pragma once

#include "kassist/kernel/common/maps.bpf.h"
#include "kassist/kernel/common/path_walk.bpf.h"

/* Bytes that a chunk may take behind a record that is just not full. */
enum { RECORD_SLACK = WIRE_CHUNK_MAX + 512 };

enum { MOST_NUMBERS = 256 }; /* a power of two */

/* A descriptor or an id of which something is to be appended (around.bpf.h). */
struct listed {
  int number;
  __u32 op; /* enum wire_op_kind */
};

struct loop {
  __u64 item, left;
  __u32 bytes, to, first, end;
};

/* A plan that is being run (capture.bpf.h). */
struct run {
  __u64 slots[WIRE_SLOTS];
  __u64 progress; /* within the op */
  __u32 op, end;
  __u32 depth; /* the nesting of loops */
  __u32 unused;
  struct loop loops[WIRE_LOOPS];
};

/* A walk from a file up to its root (files.bpf.h). It is kept here because the verifier forgets values in memory:
 * then all turns of the loop are the same to it. */
struct walk {
  __u64 file; /* struct file; 0: none, or the current directory */
  struct climb climb;
  __u32 done; /* bytes of names */
  __u32 arrived;
};

/* A place in memory that is searched for them. */
struct search {
  __u64 at, left;   /* control messages: bytes that are to come; an fd_set: bits in all */
  __u64 item;       /* numbers of a control message that are to come, */
  __u32 items, op;  /* how many there are, and the operation that lists them */
  __u32 first;      /* bit of the next word of an fd_set */
  __u32 word, bit;  /* the unread rest of its current word, and the number of that word's first bit */
  __u32 unused;
};

/* Addresses that could not be read for a record: their pages were not present, or nothing is mapped there. */
enum { MAX_MISSES = 4 };
struct misses {
  __u32 count;  /* the last MAX_MISSES of them are noted */
  __u32 phases; /* enum wire_chunk_kind of all of them: WIRE_MEMORY, WIRE_RESULTS or both (which are bits) */
  __u32 brought, unused; /* 1: the page of one of them is present now (late.bpf.h) */
  __u64 at[MAX_MISSES];
};

struct scratch {
  __u32 used;  /* bytes of the record so far */
  __u32 fill;  /* bytes of the ring that were in use when the last record was sent */
  __u8 busy;   /* 1: begun, not yet sent */
  __u8 torn;   /* 1: a part of it found no room, so that the rest is worth nothing */
  __u16 sent;  /* 1: the last record found room */
  __u32 copied, ended; /* into the chunk under construction: bytes, and whether a string's NUL is among them */
  __u32 phase; /* enum wire_chunk_kind of memory that is read now: WIRE_MEMORY or WIRE_RESULTS */
  struct misses misses;
  struct run run;
  union {
    struct wire_record record;
    __u8 bytes[WIRE_RECORD_MAX + RECORD_SLACK];
  };
  struct search search;
  struct walk walk;
  __u32 listed;
  struct listed numbers[MOST_NUMBERS];
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 2);
  __type(key, __u32);
  __type(value, struct scratch);
} scratches SEC(".maps");

static __always_inline struct scratch *scratch_of_this_cpu(void) {
  __u32 which = 0;
  struct scratch *scratch = bpf_map_lookup_elem(&scratches, &which);
  if (!scratch || !scratch->busy) return scratch;
  which = 1;
  return bpf_map_lookup_elem(&scratches, &which);
}

/* Begins a record of this thread. Registers are the caller's to fill in. */
static __always_inline void begin(struct scratch *scratch, struct task_struct *task, struct wire_mark *mark) {
  struct wire_record *record = &scratch->record;
  scratch->used = sizeof(*record);
  scratch->busy = 1;
  scratch->torn = 0;
  scratch->misses.count = scratch->misses.phases = 0;
  record->flags = mark->in_call & WIRE_AMID; /* WIRE_AMID is WIRE_ANNOUNCED */
  record->abi = mark->abi;
  record->nr = mark->nr;
  record->tgid = tgid_of(task);
  record->tid = tid_of(task);
  if (caller.pid_namespace) mark->number = record->tid;
  record->entered_ns = mark->entered_ns;
}

static __always_inline struct scratch *begin_event_at(__u64 at_ns, struct task_struct *task, struct wire_mark *mark) {
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch) return 0;
  begin(scratch, task, mark);
  scratch->record.at_ns = at_ns;
  scratch->record.ip = 0;
  return scratch;
}

static __always_inline struct scratch *begin_event(struct task_struct *task, struct wire_mark *mark) {
  return begin_event_at(moment(), task, mark);
}

static __always_inline int is_followed(struct wire_mark *mark) {
  return mark->state == WIRE_FOLLOWED || mark->state == WIRE_STARTED;
}

static __always_inline int is_outside(struct wire_mark *mark) {
  return mark->in_call == WIRE_OUTSIDE || mark->in_call == WIRE_BACK;
}

/* Functions that are not static are verified once; static ones are walked again at each call. Their pointers may be
 * null, as far as the verifier knows. */

static __always_inline struct wire_loss *loss_of(__u32 tid) {
  struct wire_loss *loss = bpf_map_lookup_elem(&losses, &tid);
  if (loss) return loss;
  bpf_map_update_elem(&losses, &tid, &no_loss, BPF_NOEXIST);
  return bpf_map_lookup_elem(&losses, &tid);
}

/* An event of this thread is lost: user space learns the number of losses by the gap in the numbers or, where no
 * record follows, by this. */
static __always_inline void count_loss(struct scratch *scratch, __u32 kind) {
  struct wire_record *record = &scratch->record;
  struct wire_loss *loss = loss_of(record->tid);
  if (loss && (kind == WIRE_THREAD_EXIT || kind == WIRE_LAST_THREAD)) {
    bpf_probe_read_kernel(&loss->end, sizeof(loss->end), record);
    loss->born_ns = 0;
    return;
  }
  __sync_fetch_and_add(&control.losses.events, 1);
  if (loss) __sync_fetch_and_add(&loss->events, 1);
  if (kind != WIRE_FORK) return;
  struct wire_loss *child = loss_of(record->birth.thread);
  if (!child) return;
  child->tgid = record->birth.process;
  child->born_ns = record->at_ns;
}

__noinline int lose(struct scratch *scratch, __u32 kind) {
  if (scratch) count_loss(scratch, kind);
  return 0;
}

/* The thread's exit was reported, whether or not its birth was. */
static __always_inline void note_end(__u32 tid) {
  struct wire_loss *loss = bpf_map_lookup_elem(&losses, &tid);
  if (loss) loss->born_ns = 0;
}

/* The thread's call, of which no record speaks, will not return: its end was the entry, and that found no room. */
static __always_inline void lose_call(struct scratch *scratch, struct wire_mark *mark) {
  mark->sequence++;
  lose(scratch, WIRE_CALL);
}

/* Births, new programs and deaths are few, and without them the rest makes no sense: the last of the ring is theirs. */
static __always_inline int may_fill_up(__u8 kind) {
  return (1u << WIRE_FORK | 1u << WIRE_EXEC | 1u << WIRE_THREAD_EXIT | 1u << WIRE_LAST_THREAD | 1u << WIRE_SEEDED |
          1u << WIRE_MAPPED) >> (kind & 31) & 1;
}

static __always_inline __u32 sendable(const struct scratch *scratch) {
  if (scratch->used > WIRE_RECORD_MAX + WIRE_CHUNK_MAX) return WIRE_RECORD_MAX;
  return scratch->used < sizeof(struct wire_record) ? sizeof(struct wire_record) : scratch->used;
}

/* The record may end the trace. The end of a process never ends a system-wide one; there a wake-up, of two threads,
 * would make each fork(2) and exit_group(2) of the machine a fifth slower. */
static __always_inline int may_end_trace(const struct wire_record *record) {
  return !choice.system_wide && (record->flags & WIRE_ENDS);
}

/* Puts the record into the ring, and begins anew behind its header. Says in `sent` whether there was room: in memory,
 * where the verifier does not follow it. Wakes the drain thread only where that asked for it, or at an end. */
static __always_inline void put(struct scratch *scratch, __u32 kind, __u64 sequence) {
  struct wire_record *record = &scratch->record;
  __u32 bytes = sendable(scratch);
  record->kind = kind;
  record->bytes = bytes;
  record->sequence = sequence;
  scratch->used = sizeof(*record);
  scratch->sent = 0;
  __u64 flags = BPF_RB_NO_WAKEUP;
  scratch->fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
  if (scratch->torn) return;
  if (scratch->fill + bytes > control.consumer.limit_bytes && !may_fill_up(kind)) return;
  if (scratch->fill + bytes >= control.consumer.wake_bytes || may_end_trace(record)) {
    control.consumer.wake_bytes = ~0u;
    flags = BPF_RB_FORCE_WAKEUP;
  }
  scratch->sent = bpf_ringbuf_output(&ring, record, bytes, flags) == 0;
}

static __always_inline int was_sent(struct scratch *scratch) { return *(volatile __u16 *)&scratch->sent; }

/* Sends a record that another thread than its own built: the two may count at the same time, so it has no number. */
static __always_inline void send_aside(struct scratch *scratch, __u8 kind) {
  put(scratch, kind, WIRE_UNNUMBERED);
  if (!was_sent(scratch)) lose(scratch, kind);
  scratch->busy = 0;
}

/* Sends the record and begins a new one after the header. 0: there was no room; the event is counted then. */
__noinline int send(struct scratch *scratch, struct wire_mark *mark, __u32 kind) {
  if (!scratch || !mark) return 0;
  put(scratch, kind, mark->sequence);
  if (kind == WIRE_PART) {
    if (!was_sent(scratch)) scratch->torn = 1;
    return was_sent(scratch);
  }
  scratch->busy = 0;
  if (!wire_is_event(kind)) return was_sent(scratch);
  mark->sequence++;
  if (!was_sent(scratch)) count_loss(scratch, kind); /* no further frame: the kernel has eight at most */
  else if (kind == WIRE_THREAD_EXIT && control.losses.events) note_end(scratch->record.tid);
  return was_sent(scratch);
}

/* Sends the record so far if it has no room for a further chunk. */
static __always_inline void make_room(struct scratch *scratch, struct wire_mark *mark) {
  if (scratch->used > WIRE_RECORD_MAX - sizeof(struct wire_chunk)) send(scratch, mark, WIRE_PART);
}

/* The place of the next chunk; its content starts after it. Sends the first part of a full record. */
static __always_inline struct wire_chunk *new_chunk(struct scratch *scratch, struct wire_mark *mark) {
  make_room(scratch, mark);
  return (struct wire_chunk *)&scratch->bytes[scratch->used & (WIRE_RECORD_MAX - 1)];
}

static __always_inline void end_chunk(struct scratch *scratch, __u32 bytes) {
  if (bytes > WIRE_CHUNK_MAX) bytes = WIRE_CHUNK_MAX;
  scratch->used += sizeof(struct wire_chunk) + ((bytes + 7) & ~7u);
}
