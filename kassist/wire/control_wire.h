/* The control page: limits, requests and counts of a run, and the losses of threads. C, for both sides. */
#pragma once

#include "kassist/wire/arming_wire.h"
#include "kassist/wire/mark_wire.h"
#include "kassist/wire/record_wire.h"
#include "kassist/wire/wire_types.h"

/* The losses of a thread, by its tid. A later thread with the same tid adds to them. */
struct wire_loss {
  wire_u64 events;        /* but for its end */
  wire_u64 born_ns;       /* CLOCK_MONOTONIC: no record reported its birth or its exit; 0: one did */
  wire_u32 tgid, unused;  /* with born_ns */
  struct wire_record
      end; /* the WIRE_THREAD_EXIT or WIRE_LAST_THREAD that found no room; its kind is 0 if there is none */
};

enum {
  WIRE_WANTED = 64,    /* tids that can be asked for before they are read: a power of two */
  WIRE_MARKERS = 1024, /* threads of distinct tid modulo this that can be held at one time: a power of two */
  WIRE_MARKER = 23,    /* SIGURG: the signal that stops a held thread. Its default action is to be ignored */
};

enum { WIRE_CROWDS_BITS = 10, WIRE_CROWDS = 1 << WIRE_CROWDS_BITS };
/* Derived from the place of a thread's registers while it is in the kernel: at the end of its stack, which has pages
 * of its own. */
static inline wire_u32 wire_crowd_of(wire_u64 registers) {
  return (wire_u32)(registers >> 12) * 0x9e3779b1u >> (32 - WIRE_CROWDS_BITS);
}

/* The events that are no longer reported: from one time on, however long detaching the hooks one by one takes. */
enum wire_ended {
  WIRE_NOTHING_ENDED = 0,
  WIRE_CALLS_ENDED, /* calls: those entered before are still reported, except returns of announced ones */
  WIRE_ALL_ENDED,   /* nor births, new programs, signals, exits and function calls; no thread requests arming or
                       waits for a reply */
};

#define WIRE_NO_THREAD 1ull

/* The ring's reader. Bytes are of the ring. */
struct wire_consumer {
  wire_u32 limit_bytes; /* beyond, only births, new programs and exits are recorded; 0: no thread reads the ring yet */
  wire_u32 wake_bytes;  /* the reader sleeps and is to be woken when the ring holds so much; all ones: it is awake */
  wire_u32 lane_wake_bytes; /* for a lane. A lane with this many bytes does not wake the reader: the ring's next
                               record does */
};

/* Threads that make more records than the reader takes. */
struct wire_throttle {
  wire_u32 ask_bytes;  /* threads that are not the brake's are asked for, and slowed down; all ones: never */
  wire_u32 hold_bytes; /* threads that are the brake's are stopped; all ones: never */
  wire_u32 round;      /* 1 to 255: each thread is asked for once in a round */
  wire_u32 asked;      /* how many threads were asked for: wanted[n % WIRE_WANTED] is the n-th */
  wire_u32 wanted[WIRE_WANTED];
};

struct wire_brake {
  wire_u32 tracer;  /* its tgid; 0: no thread is stopped any more, or there is no brake */
  wire_u32 touches; /* the number of times that a thread relied on being the brake's tracee */
  wire_u32 leaving; /* 1: the brake is about to detach its tracees, or does: no thread can rely on it until then */
  wire_u32 spared;  /* a process that is strut's tracee without being the brake's: its tgid; 0: none is */
  wire_u32 markers[WIRE_MARKERS]; /* by tid: the thread to which an unreceived marker was sent; 0: none */
};

struct wire_clock {
  wire_u32 is_counted;  /* 1: ordinals stand for times, where no output shows one and one thread alone is followed */
  wire_u64 earliest_ns; /* for ordinals: CLOCK_MONOTONIC when the drain looked last */
};

struct wire_losses {
  wire_u64 events;     /* of all threads */
  wire_u64 unfollowed; /* threads that were to be followed from their birth on, and got no mark: there was no memory */
};

/* Where one thread alone is followed from the beginning. Its first line is read at every system call of the machine,
 * and apart from the memory that the thread writes. */
struct wire_lone {
  wire_u64 registers __attribute__((aligned(64))); /* where its registers lie in the kernel, which identifies it: no
                                                      other living thread has the same stack there. 0: not known yet,
                                                      WIRE_NO_THREAD: it has ended */
  wire_u32 thread; /* the id; 0: it has exited, or not begun */
  struct wire_mark mark __attribute__((aligned(64)));
  wire_u64 moment; /* the last ordinal: never later than CLOCK_MONOTONIC */
};

/* How many threads have marks. */
struct wire_marks {
  wire_u32 uncounted __attribute__((aligned(64))); /* user space made their marks, and they are not in `crowds` yet */
  wire_u32 crowds[WIRE_CROWDS]; /* by the place of their registers (wire_crowd_of()): where it is 0 no mark is looked
                                   up */
};

/* Shared memory of the programs and strut. */
struct wire_control {
  wire_u32 ended;     /* enum wire_ended */
  wire_u32 plan_seed; /* where plans by command are: wire_bucket_of() */
  wire_u32 tracer;    /* strut's process: its tgid. Where it is killed, all has ended */
  struct wire_consumer consumer;
  struct wire_throttle throttle;
  struct wire_arming arming;
  struct wire_clock clock;
  struct wire_losses losses;
  struct wire_lone lone;
  struct wire_marks marks;
  struct wire_brake brake;
};
