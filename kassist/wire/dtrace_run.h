/* The working memory of a clause in the kernel, and its layout: for the C functions and for the code generated from
 * D. Each hit uses one of these (kernel/dtrace/core.bpf.h). */
#pragma once

#include "kassist/wire/arming_wire.h"
#include "kassist/wire/dtrace_wire.h"

enum {
  D_REGISTERS = 256,
  D_TEXT_AREA = 16384,   /* for text registers; a power of two */
  D_TEXT_MOST = 4096,    /* bytes of one string, NUL included; a power of two */
  D_SCRATCH = 16384,     /* kDScratchBytes */
  D_GLOBALS = 32768,     /* for global variables in memory; a power of two */
  D_KEY_AREA = 4096,     /* for a tuple */
  D_THREAD_MOST = 16384, /* for self-> variables in memory */
  D_LOCAL_AREA = 8192,   /* for this-> variables */
  D_RECORD_AREA = 65536, /* a record with its header and its stack */
  D_RECORD_MOST = 24576, /* without the stack; less than half of it */
  D_STACK_MOST = 32768,
  D_ARGUMENTS = 10,
  D_PAGE = 4096,
  D_STEPS = 4096,              /* turns of a loop */
  D_LONGEST_CHILL = 500000000, /* kLongestChill_ns */

  D_CLAUSE_WORDS = 3, /* clauses of a program: 64 times this */
  /* Each table begins with a map of its own. Later entries go to maps in a map: the kernel waits for a grace period
   * (10 ms) whenever one is put there. */
  D_FIRST_PROBES = 1024,
  D_FIRST_NAMES = 65536, /* bytes */
  D_FIRST_SITES = 4096,
  D_PROBES_EACH = 65536, /* for a further map of probes; powers of two */
  D_PROBE_CHUNKS = 64,
  D_NAMES_EACH = 1 << 20, /* bytes of a further map of names */
  D_NAME_CHUNKS = 1024,
  D_GROUPS = 16384,    /* for sites */
  D_FIRST_OPERANDS = 1024,
  D_OPERANDS_EACH = 65536, /* for a further map of operands; powers of two */
  D_OPERAND_CHUNKS = 64,
  D_COMMANDS = 8,      /* commands of a run */
  D_STARTED = 1 << 30, /* in d_control.commands: more than any process has for a number */
  D_WAITING = 8192,    /* threads in calls with waiting entries */
  D_RUNS_EACH = 4,     /* hits that a CPU can be in at the same time */
  D_WATCHED = 16,      /* watched addresses of a run */
  D_WATCHED_MOST = 16384, /* of these in all processes */

  D_ROUNDS = 256, /* the first so many aggregations: a min() or max() among them may be cleared */

  D_ABIS = 3,
  D_CALLS = 1024,                    /* numbers of an ABI */
  D_HOOKS_AT = 2 * D_ABIS * D_CALLS, /* in the table of events, behind the calls' entries and returns: process events */
  D_EVENTS = D_HOOKS_AT + 16,
};

/* A string: of a register, a variable, a key. Its bytes, without a NUL, follow; as many as strsize says, up to a
 * multiple of 8. */
struct d_text {
  __u32 length;
  __u32 state; /* enum d_text_state */
};
/* D_KEPT is among a thread's variables: there 0 means that none was stored. */
enum d_text_state { D_TEXT, D_NULL, D_KEPT };

/* A probe, as clauses see it. */
struct d_probe {
  __u64 clauses[D_CLAUSE_WORDS]; /* a bit for each */
  __u32 id;
  __u32 first_epid; /* for its first clause; the others follow */
  __u32 names[4];   /* provider, module, function, name: of a string with its NUL, D_NAMES_EACH times the map (0: the
                       first), and offset */
};

/* Variables of loops, which the verifier does not follow here. */
struct d_loop {
  __u64 at, end, first, found, count, word;
  __u64 set[4];
};

/* Members that generated code addresses directly are within the first 32,767 bytes. */
struct d_run {
  __u64 r[D_REGISTERS];
  __u32 busy;
  __u32 place;  /* among the runs */
  __u32 probe, clause, kind;
  __u32 used;   /* bytes of the record */
  __u32 open;   /* where the record's open action is; 0: none is */
  __u32 left;   /* no more clauses run: exit() was called; or D_WAITS, the rest waits for the call's return */
  __u32 hook;   /* enum d_hook_of */
  __u32 wants_stack; /* the record has an item that needs the stack */
  __u32 key_bytes;   /* for a tuple that is sent as a record */
  __u32 key_stack;   /* a key of it is a user stack */
  __u32 scratch_used;
  __u32 token_at, token_length; /* strtok(): within token */
  __u32 result; /* for a call: errno */
  __u32 unread; /* D_OPERANDS: a bit for each of args that is an address that could not be read */
  __u32 variables; /* d_firing's */
  __u64 fault_address;
  __u64 time_ns;
  __u64 value;  /* the value added to an aggregation */
  __u64 square[2];
  __u64 random;
  __u64 args[D_ARGUMENTS];
  __u64 sp;     /* the user's stack pointer at a function's entry */
  __u64 subject; /* the task that args[] refers to, at process events */
  __u64 fired, lost; /* counted: records, records that found no room */
  /* For calls' entries; 0 elsewhere: */
  __u32 may_wait;    /* the faults that may wait for the call's return */
  __u32 from_clause; /* there: the clauses below have run at the entry */
  __u64 since_ns;    /* there: when it was entered */
  __u64 is_gone;     /* there: the memory that the call was made from */
  struct d_probe self;
  struct d_loop loop, inner;
  __u8 keys[D_KEY_AREA + D_TEXT_MOST];
  __u8 locals[D_LOCAL_AREA];
  __u8 token[D_TEXT_MOST];
  __u8 texts[D_TEXT_AREA + 2 * D_TEXT_MOST];
  __u8 temp[2 * D_TEXT_MOST];
  __u8 scratch[2 * D_SCRATCH]; /* the second half is never handed out: an offset may be masked */
  __u8 record[D_RECORD_AREA + D_RECORD_AREA / 2];
};

enum { D_WAITS = 2 };

/* A tracepoint's cookie: the probe, and from these bits on eight bits for each other field of DTrigger::Tracepoint. */
enum { D_COOKIE_ARGUMENTS = 32, D_COOKIE_SUBJECT = 40, D_COOKIE_IF_SET = 48, D_COOKIE_IF_ZERO = 56 };
enum { D_OWN_ARGUMENTS = 0xff, D_NO_ARGUMENTS = 0xfe };

/* The values of speculations, by number. */
enum d_speculation { D_SPECULATION_OPEN = 1, D_SPECULATION_ENDED };

/* A flag in the instruction number of a fault: its clause may be run once more. ALONE: if it is the first one, since
 * earlier ones may have set its this-> variables. */
enum { D_AGAIN = 1u << 30, D_AGAIN_ALONE = 1u << 29 };

enum d_hook_of { D_OF_CODE = 1, D_OF_CALLS, D_OF_PROCESSES, D_OF_PROFILES, D_OF_TRACEPOINTS, D_OF_STRUT };

/* Memory that both see. */
struct d_control {
  __u32 exited;  /* exit() was called */
  __s32 status;
  __u32 is_quiet; /* only probes that strut fires fire: exit() was called, or not all is armed yet */
  __u32 padding;
  __u64 wall_offset_ns; /* CLOCK_REALTIME less CLOCK_MONOTONIC */
  __u64 aggregation_drops, dynamic_drops, failed_speculations;
  __u32 left_out; /* a process in which nothing fires: strut's; 0: none */
  __u32 known;    /* strut as users know it: the same, or its parent (process/tracer_process.hpp). BEGIN and ticks fire
                     there */
  __u32 commands[D_COMMANDS]; /* for -c: forks of strut's until they exec a program; with D_STARTED, they are past
                                 their start */
  __u32 wake_bytes; /* the ring's reader is woken when it holds so much; all ones: never */
  __u32 unused;
  struct wire_arming arming; /* of code that dynamic linkers map */
  __u64 linker_unheld;       /* processes that did not wait for the reply, or not long enough */
  __u32 linker_late;         /* a reply is overdue: no process waits until it comes */
  __u32 entries_seen; /* entries of calls are seen, for the n-th time; 0: they are not */
  __u64 waiting; /* calls with waiting entries */
  __u64 last_speculation; /* the number of the newest */
  __u64 element_used;    /* bytes of elements in memory that were handed out */
  __u64 watch_hits;      /* of watched memory, whether their probes fired or not */
  __u64 watched[D_WATCHED]; /* addresses; 0: none */
  __u64 rounds[D_ROUNDS]; /* for aggregations: the number of clear() and trunc() calls */
};

/* For a CPU. */
struct d_crowd {
  __u64 lost;  /* hits that found all its runs busy, or had no storage for a repeated instruction */
  __s64 apart; /* how much its scheduler's clock was behind CLOCK_MONOTONIC */
  __u64 at_ns; /* then; 0: that is not known */
};
