/* The interface between the BPF programs and user space: capture plans in, records out. C, for both sides.
 *
 * A record is one event of one thread: a header, then chunks with captured memory of the thread, and with the files,
 * sockets and names of the event's context. A record that does not fit is preceded by WIRE_PART records with its
 * first chunks.
 *
 * Ids of processes and threads are those of the machine's first pid namespace. It is strut's own, else kassist is
 * refused (check_pid_namespace() of support.cpp). */
#pragma once

#include "kassist/wire/plan_wire.h"
#include "kassist/wire/wire_types.h"

enum {
  WIRE_SP = 6,
  WIRE_RESULT = 7,
  WIRE_ABIS = 3,     /* in the order of strut::Abi */
  WIRE_CALLS = 1024, /* numbers per ABI: a power of two */
  WIRE_CHUNK_MAX = 4096,   /* bytes of content in one chunk */
  WIRE_RECORD_MAX = 16384, /* bytes of one record, chunks and all; a power of two */
  WIRE_STACK_MAX = 252 << 10, /* bytes of a stack */
  WIRE_COMM = 16,          /* TASK_COMM_LEN of <linux/sched.h> */
};

/* -- records ------------------------------------------------------------------------------------ */

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

/* What only records of one kind have. Wait statuses are wait4(2)'s. */
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
  wire_u64 entered_ns;  /* CLOCK_MONOTONIC, or counted (wire_pressure): of the call */
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

/* -- lanes ---------------------------------------------------------------------------------------- */

/* Most calls are reported in a lane: a ring of a CPU's own, which its programs write without a lock, a copy or a
 * helper's call. User space reads `tail` to `head`: positions that only grow, modulo the lane's bytes, a power of
 * two that is the programs' constant. Records lie as in the other ring, each behind 8 bytes that begin with its
 * length; one that begins before the lane's end continues after it. Records without room, and all that are not plain
 * (WIRE_PLAN_PLAIN), go to the other ring. */
enum {
  WIRE_LANE_FULL = 4096,      /* bytes of a record beyond which no further chunk begins */
  WIRE_LANE_MOST = 3 * 4096,  /* a record has fewer */
};

/* `bytes` of the lane and WIRE_LANE_MOST more follow. */
struct wire_lane {
  wire_u64 head; /* how much was ever written: its CPU's */
  wire_u64 unused[7];
  wire_u64 tail; /* … and read: user space's */
  wire_u64 unused_too[7];
};

/* -- the context of a call ------------------------------------------------------------------------ */

/* The context that a request needs: fixed before the programs are loaded. */
enum wire_around {
  WIRE_AROUND_FILES = 1,      /* paths behind descriptors */
  WIRE_AROUND_DETAILS = 2,    /* and WIRE_DETAILS of each */
  WIRE_AROUND_IDS = 4,        /* the processes that ids name */
  WIRE_AROUND_COMMS = 8,      /* the threads' own comms */
  WIRE_AROUND_NAMESPACES = 16,
};

enum wire_file_flags {
  WIRE_FILE_DELETED = 1, /* no name leads to it any more */
  WIRE_FILE_NAMELESS = 2, /* the file has no path: its filesystem composes a name (pipe:[1]) from these values */
  WIRE_FILE_CUT = 4,     /* names are missing at the path's start: too many, too long */
};

/* An open file, or the current directory. Names follow, each ended by a NUL: those of its path from the last one to the
   first, up to strut's own root or to the root of the file's mount namespace; of a nameless file the one name it has.
 */
struct wire_file {
  wire_u64 inode;
  wire_u32 magic;  /* for its filesystem (statfs(2)) */
  wire_u32 device; /* the device of a device file: major << 20 | minor, as the kernel stores it */
  wire_u16 mode;   /* S_IFMT and permissions */
  wire_u16 flags;  /* enum wire_file_flags */
  wire_u32 names;  /* bytes of names */
};

enum wire_details_of {
  WIRE_OF_SOCKET = 1,
  WIRE_OF_EVENTFD,
  WIRE_OF_SIGNALFD,
  WIRE_OF_PIDFD,
  WIRE_OF_TERMINAL, /* /dev/ptmx */
  WIRE_OF_DEVICE,   /* without its path: value is wire_file's device, flags: 1 for a block device */
};

enum wire_socket_flags {
  WIRE_SOCKET_LISTED = 1, /* the kernel's lists of sockets (sock_diag(7)) have it */
  WIRE_SOCKET_BOUND = 2,  /* a TCP socket that is bound and no more: listed since Linux 6.8 */
};

struct wire_details {
  wire_u8 of; /* enum wire_details_of */
  wire_u8 family;
  wire_u8 protocol;
  wire_u8 flags;       /* enum wire_socket_flags; of an eventfd: 1 if EFD_SEMAPHORE */
  wire_u32 number;     /* a netlink socket's port, an eventfd's id, a pidfd's pid, the terminal's number */
  wire_u64 value;      /* an AF_UNIX peer's inode, an eventfd's count, a signalfd's mask */
  wire_u32 network;    /* inode of a socket's network namespace */
  wire_u16 port, peer_port; /* both in network order */
  wire_u8 address[16], peer[16]; /* for an AF_INET6 socket; the first four bytes of an AF_INET one */
  wire_u8 comm[WIRE_COMM]; /* behind a pidfd */
};

struct wire_process {
  wire_u32 id; /* by the first pid namespace */
  wire_u32 foreign; /* 1: the thread's pid namespace is another one */
  wire_u8 comm[WIRE_COMM];
};

/* By their DWARF numbers: rax rdx rcx rbx rsi rdi rbp rsp r8 to r15, rip. */
struct wire_registers {
  wire_u64 numbered[17];
};

/* A thread's floating-point registers, as xsave(1) writes them (Intel SDM volume 1, 13.4.1): %st(0), %xmm0 to %xmm7.
 * Registers that `features` marks as being in their initial state were not written, and are 0: bit 0 %st(0), bit 1
 * the others. */
struct wire_floatings {
  wire_u64 features;
  wire_u64 x87[2];
  wire_u64 vectors[8][2];
};
/* Rings that wake threads of strut's: of a CPU that with this rest. */
enum { WIRE_SWITCHES = 4 };

/* Inodes of namespaces, by the names of /proc/PID/ns in alphabetic order; 0: unknown. */
struct wire_namespaces {
  wire_u32 cgroup, ipc, mnt, net, pid, time, user, uts;
};

/* -- sites of functions (trace/function_points.hpp) ---------------------------------------------------- */

enum {
  WIRE_FUNCTION_PLANS = 16384,
  WIRE_SAVED_ENTRIES = 8192, /* entries that are kept until their returns */
};

enum wire_site {
  WIRE_SITE_ENTRY = 0,
  WIRE_SITE_RETURN,   /* at a ret */
  WIRE_SITE_JUMP,
  WIRE_SITE_OUTWARD,
  WIRE_SITE_LINKER,   /* a dynamic linker's hook after it has mapped code: not reported */
  WIRE_SITE_MAKER,    /* the call of a C library function that makes processes: not reported */
  WIRE_SITE_RETURNED, /* at a uretprobe: the return address has been taken off the stack */
  WIRE_SITE_EXECUTOR, /* the call of a C library function that execs a program: not reported */
};

/* All data about a site is in its cookie: function, site, condition (0: none; else x86/displaced's plus one), place
 * in the functions' plans, and whether only calls from the wanted callers are reported. */
#define WIRE_COOKIE_CALLERS (1ull << 48)
/* For an entry where links have sessions: its return is wanted. */
#define WIRE_COOKIE_RETURNS (1ull << 49)
/* The function is Go's: it has other registers, and a goroutine. */
#define WIRE_COOKIE_GO (1ull << 50)
/* For an entry that is a call instruction in the caller: its length. */
#define WIRE_COOKIE_CALL_SHIFT 51
static inline wire_u64 wire_cookie_of(wire_u32 function, wire_u8 site, wire_u8 condition, wire_u32 plan) {
  return (wire_u64)plan << 32 | (wire_u64)(condition & 31) << 27 | (wire_u64)(site & 7) << 24 | (function & 0xffffff);
}
/* For WIRE_SITE_EXECUTOR, in the place of a function: only followed processes hit it. */
enum { WIRE_OF_FOLLOWED = 1 };
/* For WIRE_SITE_LINKER: the distance of the linker's struct r_debug. */
static inline wire_u64 wire_cookie_of_linker(int to_debug) {
  return wire_cookie_of((wire_u32)to_debug, WIRE_SITE_LINKER, 0, 0);
}
static inline wire_u64 wire_cookie_debug(wire_u64 cookie) { return (wire_u64)((long long)(cookie << 40) >> 40); }
static inline wire_u32 wire_cookie_function(wire_u64 cookie) { return cookie & 0xffffff; }
static inline wire_u8 wire_cookie_site(wire_u64 cookie) { return cookie >> 24 & 7; }
static inline wire_u8 wire_cookie_condition(wire_u64 cookie) { return cookie >> 27 & 31; }
static inline wire_u8 wire_cookie_call_bytes(wire_u64 cookie) { return cookie >> WIRE_COOKIE_CALL_SHIFT & 15; }
static inline wire_u32 wire_cookie_plan(wire_u64 cookie) { return cookie >> 32 & (WIRE_FUNCTION_PLANS - 1); }

/* The callers with wanted calls, if not all: files by their inodes. Equal numbers of two file systems count as the
 * same file; surplus reports are dropped later. */
enum { WIRE_CALLERS = 64 };

/* -- marks ---------------------------------------------------------------------------------------- */

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
  wire_u8 asked;   /* the round of wire_pressure in which it was asked for */
  wire_u8 missed;  /* a page was not present when the call was announced */
  wire_u8 place;   /* for the plan in its bucket */
  wire_u8 signalled; /* a signal was generated for it that it is not to take by itself: when its call returns is to be
                        known */
  wire_u8 late;      /* an element of `lates` (kernel/syscalls/late.bpf.h) is its */
  struct wire_plan plan; /* for that call */
  wire_u64 task;  /* where the kernel has the thread; known of the lone one */
  wire_u64 registers; /* and its registers: by them it is counted in wire_pressure::crowds; 0: it is not yet */
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
  struct wire_registers registers; /* for a thread in a call, where stacks are wanted */
};

enum wire_in_call {
  WIRE_OUTSIDE = 0,
  WIRE_INSIDE,    /* entered, wanted */
  WIRE_PASSED,    /* entered and not wanted, or unknown: its exit is not reported */
  WIRE_BACK,      /* outside, and its last call was seen to return */
  WIRE_ANNOUNCED = WIRE_AMID, /* and its WIRE_ENTER was sent */
};

/* -- numbers in the programs' code that the loader replaces (kernel/common/cast.bpf.h, kernel/syscalls/late.bpf.h) ----
 */

enum {
  WIRE_CAST = 0x7fff0000,
  WIRE_CAST_TO_REGISTERS = 0x7fff0001,
  WIRE_CAST_TO_TASK = 0x7fff0002,
  WIRE_SCHEDULE_WORK = 0x7fff0003,
};

/* -- losses and the brake --------------------------------------------------------------------------- */

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
  wire_u64 number;
  wire_u64 at_ns; /* CLOCK_MONOTONIC */
};
enum { WIRE_QUESTION_BYTES = 64 << 10 }; /* for the ring that has them */

/* The events that are no longer reported: from one time on, however long detaching the hooks one by one takes. */
enum wire_ended {
  WIRE_NOTHING_ENDED = 0,
  WIRE_CALLS_ENDED, /* calls: those entered before are still reported, except returns of announced ones */
  WIRE_ALL_ENDED,   /* nor births, new programs, signals, exits and function calls; no thread requests arming or
                       waits for a reply */
};

/* The limits of the ring, and the actions at them: shared memory. Bytes are of the ring. */
#define WIRE_NO_THREAD 1ull

struct wire_pressure {
  wire_u32 limit_bytes; /* beyond, only births, new programs and exits are recorded; 0: no thread reads the ring yet */
  wire_u32
      wake_bytes; /* the drain thread sleeps and wants to be woken when the ring holds so much; all ones: it is awake */
  wire_u32 lane_wake_bytes; /* for a lane. A lane with this many bytes does not wake the reader: the ring's next
                               record does */
  wire_u32 ended;       /* enum wire_ended */
  wire_u32 counted; /* 1: times are counted. So they are, where no output shows a time, as long as only one thread is
                       followed */
  wire_u32 plan_seed;   /* where plans by command are: wire_bucket_of() */
  wire_u32 ask_bytes;   /* threads that are not the brake's are asked for, and slowed down; all ones: never */
  wire_u32 hold_bytes;  /* threads that are the brake's are stopped; all ones: never */
  wire_u32
      strut; /* the tracer of the brake: its tgid; 0: no thread is stopped any more, or there is no brake */
  wire_u32 tracer;      /* strut's process, which answers: its tgid. Where it is killed, all has ended */
  wire_u32 touches;     /* the number of times that a thread relied on being the brake's tracee */
  wire_u32
      leaving; /* 1: the brake is about to detach its tracees, or does: no thread can rely on it until that is over */
  wire_u32 spared;      /* a process that is strut's tracee without being the brake's: its tgid; 0: none is */
  wire_u32 round;       /* 1 to 255: each thread is asked for once in a round */
  wire_u32 asked;       /* how many threads were asked for: wanted[n % WIRE_WANTED] is the n-th */
  wire_u64 lost;        /* events, of all threads */
  wire_u32 questions, answers; /* numbers of the last wire_question that was asked, and answered */
  wire_u64 unasked;        /* questions that found no room */
  wire_u64 unfollowed; /* threads that were to be followed from their birth on, and got no mark: there was no memory for
                          it */
  wire_u64 earliest_ns; /* where moments are counted: CLOCK_MONOTONIC when the drain looked last */
  /* Read at every system call of the machine, where one thread alone is followed from the beginning; apart from the
   * memory that this writes. */
  wire_u64 lone_at
      __attribute__((aligned(64))); /* the place of its registers in the kernel, which identifies it: no other living
                                       thread has the same stack there. 0: not known yet, WIRE_NO_THREAD: it has ended */
  wire_u32 lone;        /* the id; 0: it has exited, or not begun */
  wire_u32 uncounted;   /* marks that user space made, of threads that are not in `crowds` yet */
  struct wire_mark lone_mark __attribute__((aligned(64)));
  wire_u64 moment;      /* the last one that was counted: never later than CLOCK_MONOTONIC. The lone thread's own */
  wire_u64 behind_lone[7];
  wire_u32 wanted[WIRE_WANTED];
  wire_u32 crowds[WIRE_CROWDS]; /* the number of threads with marks, by the place of their registers
                                   (wire_crowd_of()): where it is 0 no mark is looked up */
  wire_u32
      markers[WIRE_MARKERS]; /* by tid: the thread to which an unreceived marker was sent; 0: none */
};
