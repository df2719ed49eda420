/* Chunks: captured memory behind the header of a record. C, for both sides. */
#pragma once

#include "kassist/wire/wire_types.h"

enum wire_chunk_kind {
  WIRE_MEMORY = 1, /* the target's bytes at `at`, when the call was entered */
  WIRE_RESULTS,    /* the target's bytes at `at`, when it returned */
  WIRE_SIGINFO,    /* for a WIRE_SIGNAL: struct kernel_siginfo, the leading part of siginfo_t */
  WIRE_PROGRAM,    /* for a WIRE_EXEC: the name of the new program, as passed to execve */
  WIRE_COMM_CHUNK, /* the thread's comm, WIRE_COMM bytes */
  WIRE_FILE, /* the file of descriptor `at` (an int, sign-extended): struct wire_file and its names; empty: none */
  WIRE_DETAILS, /* more about descriptor `at`: struct wire_details, and an AF_UNIX socket's name */
  WIRE_PROCESS, /* the process that id `at` names (in the thread's pid namespace): struct wire_process; empty: none */
  WIRE_REGISTERS, /* struct wire_registers: where the thread left user space, at the event or when its call was entered;
                     its stack, from the stack pointer on, ends at `at`; missed: 1 if it goes on there */
  WIRE_STACK,     /* the stack's bytes at `at`; chunks go upwards */
  WIRE_INTERRUPTED, /* for a handler on an alternate stack: the interrupted stack pointer, eight bytes; that
                      stack ends at `at`; missed: 1 if it goes on there; its bytes follow */
  WIRE_NAMESPACES,  /* the namespaces of process `at` (0: the thread itself): struct wire_namespaces; empty: unknown */
  WIRE_FLOATINGS,   /* for a WIRE_HIT: struct wire_floatings; none if they could not be captured */
  WIRE_GOROUTINE,   /* for a WIRE_HIT in Go code: the head of the runtime.g at `at`, the bounds of its stack */
};

/* A piece of captured data. `bytes` of content follow, then padding to 8. */
struct wire_chunk {
  wire_u64 at;
  wire_u16 bytes;
  wire_u8 kind;   /* enum wire_chunk_kind */
  wire_u8 missed; /* 1: the page was not present (no content) */
  wire_u32 asked; /* bytes that were requested; more than `bytes` for a string that ended. Of a call's context
                     (WIRE_FILE and later kinds): WIRE_MEMORY for the state at the call's entry, else WIRE_RESULTS */
};
