/* Marks: the threads that are followed, those that live already, and the filter of a system-wide trace. C, for both
 * sides. */
#pragma once

#include "kassist/wire/context_wire.h"
#include "kassist/wire/plan_wire.h"
#include "kassist/wire/record_wire.h"
#include "kassist/wire/wire_types.h"

enum wire_mark_state {
  WIRE_FOLLOWED = 1,  /* the calls are reported */
  WIRE_STARTING = 2,  /* the launched command: reported from its execve on */
  WIRE_OURSELVES = 3, /* strut, in a call in which it shows where it stands */
  WIRE_STARTED = 4,   /* the launched command in that execve */
  WIRE_LET_GO = 5,    /* not followed any more */
  WIRE_APART = 6,     /* for a system-wide trace: it does not match the filter, and may come to */
  WIRE_EXEMPT = 7,    /* for a system-wide trace: strut and its children, or processes that read strut's output */
  WIRE_HEIR = 8, /* about to execute a program and to take the place of its process's first thread, which is followed */
};

/* The children that inherit a mark. */
enum wire_follow {
  WIRE_FOLLOW_NONE = 0,
  WIRE_FOLLOW_THREADS, /* for the same process */
  WIRE_FOLLOW_CHILDREN,
};

/* A thread that is followed (the value in task storage). */
struct wire_mark {
  wire_u64 sequence;
  wire_u64 entered_ns;
  wire_u64 cpu_ns; /* the thread's CPU time when it entered the call, from a start of its own */
  wire_u32 nr;   /* for the last call */
  wire_u8 state; /* enum wire_mark_state */
  wire_u8 abi;
  wire_u8 in_call; /* enum wire_in_call */
  wire_u8 asked;   /* the round of wire_throttle in which it was asked for */
  wire_u8 missed;  /* a page was not present when the call was announced */
  wire_u8 place;   /* for the plan in its bucket */
  wire_u8 signalled; /* a signal was generated for it that it is not to take by itself: when its call returns is to be
                        known */
  wire_u8 late;      /* an element of `lates` (kernel/syscalls/late.bpf.h) is its */
  wire_u32 number; /* the thread's id in its last record, where strut has a pid namespace of its own */
  wire_u32 unused;
  struct wire_plan plan; /* for that call */
  wire_u64 task;  /* where the kernel has the thread; known of the lone one */
  wire_u64 registers; /* and its registers: by them it is counted in wire_marks::crowds; 0: it is not yet */
};

/* -- threads that live already --------------------------------------------------------------------- */

enum wire_seeding {
  WIRE_SEED_THREAD = 1, /* this thread alone */
  WIRE_SEED_PROCESS,    /* all threads of this process */
  WIRE_SEED_EXEMPT,     /* for a system-wide trace: this process is never followed, nor are its children */
  WIRE_SEED_READER,     /* for a system-wide trace: this process is never followed */
};

enum wire_choice_by {
  WIRE_BY_UID = 1,
  WIRE_BY_CGROUP = 2,
  WIRE_BY_COMM = 4,
};

/* The filter of a system-wide trace: processes that match all conditions. */
struct wire_choice {
  wire_u64 cgroup;    /* id of a cgroup of version 2: the inode of its directory; those below it are in it */
  wire_u32 uid;       /* effective */
  wire_u8 system_wide;  /* 1: the trace is system-wide */
  wire_u8 by;         /* enum wire_choice_by */
  wire_u8 unused[2];
  wire_u8 comm[WIRE_COMM]; /* for the process's leader, filled up with zeros */
};

#define WIRE_NO_CALL (~0u)

/* The iterator's result for each thread that is followed from now on. */
struct wire_seed {
  wire_u32 tgid, tid;
  wire_u32 nr;          /* for the call it sleeps in, without the x32 bit; WIRE_NO_CALL: none, or it runs */
  wire_u16 stopped_by;  /* the signal of the group-stop it is in; 0: none */
  wire_u8 abi;          /* strut::Abi */
  wire_u8 unmarked;     /* 1: it got no mark, for want of memory, and is not followed */
  wire_u64 ip;
  wire_u64 regs[WIRE_REGS];
  wire_u8 comm[WIRE_COMM];
  struct wire_registers registers; /* for a thread in a call, where stacks are wanted */
};

enum wire_in_call {
  WIRE_OUTSIDE = 0,
  WIRE_INSIDE,    /* entered, wanted */
  WIRE_PASSED,    /* entered and not wanted, or unknown: its exit is not reported */
  WIRE_BACK,      /* outside, and its last call was seen to return */
  WIRE_ANNOUNCED = WIRE_AMID, /* and its WIRE_ENTER was sent */
};
