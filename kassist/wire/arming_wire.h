/* Code that is armed on request of the thread that is about to run it. C, for both sides. */
#pragma once

#include "kassist/wire/wire_types.h"

/* The code to be armed before a thread goes on. */
enum wire_question_kind {
  WIRE_ASKS_LIBRARY = 1,  /* the code that its linker has mapped */
  WIRE_ASKS_BIRTH,        /* a process that was made; it has not run yet */
  WIRE_ASKS_PROGRAM,      /* a program that it executes; it has not run yet */
  WIRE_ASKS_PROGRAM_ANEW, /* as before, by another thread than the first one: the probes are no longer armed */
  WIRE_WENT_ON = 16,      /* with one of these: the answer was not waited for any longer */
};
struct wire_question {
  wire_u32 kind;    /* enum wire_question_kind */
  wire_u32 process; /* the tgid */
  wire_u32 thread;  /* the one that waits */
  wire_u32 number;
  wire_u64 at_ns; /* CLOCK_MONOTONIC */
};
enum { WIRE_QUESTION_BYTES = 64 << 10 }; /* for the ring that has them */

struct wire_arming {
  wire_u32 questions, answers; /* numbers of the last wire_question that was asked, and answered */
  wire_u64 unasked;            /* questions that found no room */
};
