/* Records: one event of one thread each. C, for both sides.
 *
 * A header, then chunks with captured memory of the thread, and with the files, sockets and names of the event's
 * context. A record that does not fit is preceded by WIRE_PART records with its first chunks.
 *
 * Ids of processes and threads are those of strut's pid namespace (kernel/common/numbering.bpf.h). */
#pragma once

#include "kassist/wire/plan_wire.h"
#include "kassist/wire/wire_types.h"

enum {
  WIRE_SP = 6,
  WIRE_RESULT = 7,
  WIRE_CHUNK_MAX = 4096,   /* bytes of content in one chunk */
  WIRE_RECORD_MAX = 16384, /* bytes of one record, chunks and all; a power of two */
  WIRE_STACK_MAX = 252 << 10, /* bytes of a stack */
};

enum wire_kind {
  WIRE_CALL = 1, /* a whole call, read when it returned: its thread was on its CPU all the time */
  WIRE_ENTER, /* a thread is in a call: it was switched away, or the plan wants to know at once (WIRE_PLAN_AT_ENTER) */
  WIRE_EXIT,  /* the return */
  WIRE_PART,  /* chunks of the thread's next record that is no part */
  WIRE_FORK,  /* `birth` of a child, which is followed; the thread is its parent */
  WIRE_EXEC,  /* the process runs a new `program` */
  WIRE_THREAD_EXIT, /* `end` of the thread */
  WIRE_SIGNAL,      /* a `signal` is delivered; a WIRE_SIGINFO chunk follows */
  WIRE_GENERATED, /* a `signal` that is not to be delivered by its own number, as its sender saw it, and the chunk; ip:
                     where the thread goes on, if that is known. Not numbered */
  WIRE_LAST_THREAD, /* the process's last thread, which is not followed, has exited: `end`, of its leader */
  WIRE_SEEDED, /* a thread that lived before is followed from now on: it came to match the filter of a system-wide
                  trace */
  WIRE_LEFT,   /* and is not any more */
  WIRE_MAPPED, /* `code` was mapped: a WIRE_FILE chunk follows, of descriptor -1; without one the process makes the code
                  itself */
  WIRE_ABI,    /* a call that is not reported was made by another ABI than the last one: `abi` */
  WIRE_HIT,    /* a thread is at a `site` (enum wire_site) of a `function`. regs[WIRE_SP]: the place of the return
                  address; ip: that return address. For an entry `regs` has the integer registers of arguments; for a
                  return there is `returned` */
  WIRE_NUDGE,  /* nothing happened: the drain's thread must look for records */
  WIRE_LATE, /* memory of the thread's last call (its record has WIRE_AWAITS_LATE): read before the thread returned
                to user mode, from pages that were not present when that record was made. Its number is the next
                event's */
};

enum wire_signal_fate {
  WIRE_IGNORED = 1, /* thrown away at once */
  WIRE_FATAL = 2,   /* the signal kills the process at once; the thread is the one that handles it */
};

enum wire_ending {
  WIRE_ENDS_ALONE = 0,
  WIRE_ENDS_LAST,     /* the last thread of its process */
  WIRE_ENDS_FOR_EXEC, /* another thread of the process is in execve and takes its place */
};

enum wire_flags {
  WIRE_DYING = 1,  /* at exit of a call: the process is being killed; regs[WIRE_RESULT] was not read by it */
  WIRE_MISSED = 2, /* a page was not present for a chunk of this record */
  WIRE_AMID = 4,   /* the thread is in a call with its WIRE_ENTER in the ring: no exit of a call was lost before this
                      record */
  WIRE_GONE = 8, /* the WIRE_ENTER found no room, and the memory of its arguments is gone: an execve that succeeded */
  WIRE_ENDS = 16,        /* a process exits: a waiting reader must report that at once */
  WIRE_AWAITS_LATE = 32, /* a WIRE_LATE follows, unless the thread is killed first or the ring is full */
};

#define WIRE_UNNUMBERED (~0ull)

/* Members of records of one kind each. Wait statuses are wait4(2)'s. */
struct wire_birth {
  wire_u64 process, thread; /* the child's tgid and tid */
};

struct wire_program {
  wire_u64 former_thread; /* the thread's id before: another if it was not the leader */
  /* If memory was missed when execve was called, WIRE_MEMORY chunks have the strings on the new stack; else 0. */
  wire_u64 strings, arguments_end, environment_end;
  wire_u64 is_script; /* 1: with those strings, the program is an interpreter */
  wire_u64 vdso;      /* its address, where stacks are requested */
};

struct wire_end {
  wire_u64 how; /* enum wire_ending */
  wire_u64 leader_status;
  wire_u64 status;
};

struct wire_signal {
  wire_u64 number;
  wire_u64 handler; /* SIG_DFL (0), SIG_IGN (1) or its address */
  /* Of a WIRE_GENERATED alone: */
  wire_u64 fate;    /* enum wire_signal_fate */
  wire_u64 in_call; /* enum wire_in_call, of the thread */
  wire_u64 sender, sender_uid;
};

struct wire_code {
  wire_u64 start, end;
  wire_u64 offset; /* in the file */
};

struct wire_returned {
  wire_u64 rax, rdx;
  wire_u64 error_number; /* errno, where it is requested */
};

struct wire_record {
  wire_u32 bytes; /* the whole record */
  wire_u8 kind;   /* enum wire_kind */
  wire_u8 abi;    /* strut::Abi, of the thread's last call */
  wire_u8 flags;  /* enum wire_flags */
  wire_u8 site;   /* enum wire_site */
  wire_u32 tgid, tid;
  wire_u64
      sequence; /* how many events of this thread were before, lost ones too: a gap is a loss; or WIRE_UNNUMBERED */
  wire_u64 entered_ns;  /* CLOCK_MONOTONIC, or counted (wire_clock): of the call */
  wire_u64 at_ns; /* the time of the record: the return (of a call in a lane only where it is requested), the signal */
  wire_u32 nr;          /* for the thread's last call, without the x32 bit; all ones: none yet */
  wire_u32 function; /* the number, of a WIRE_HIT */
  wire_u64 ip;
  wire_u64 system_ns;   /* at exit of a call: CPU time that it took, where that is measured */
  union { /* by `kind` */
    wire_u64 regs[WIRE_REGS]; /* of calls and entries of functions */
    struct wire_birth birth;
    struct wire_program program;
    struct wire_end end;
    struct wire_signal signal;
    struct wire_code code;
    struct wire_returned returned;
  };
};

/* Whether a record is an event of its own, that is reported or counted as lost. The others share the number of the
 * event that follows: a part belongs to it; a call without room for its entry is reported whole when it returns; an
 * ABI is reported again; code is no event, and uses the room that is reserved for births and exits. */
static inline int wire_is_event(wire_u8 kind) {
  return !(
      (1u << WIRE_ENTER | 1u << WIRE_PART | 1u << WIRE_ABI | 1u << WIRE_MAPPED | 1u << WIRE_NUDGE | 1u << WIRE_LATE) >>
          (kind & 31) &
      1);
}
