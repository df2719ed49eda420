/* Capture plans: the memory of a call that the BPF programs copy, and the table of plans. C, for both sides. */
#pragma once

#include "kassist/wire/wire_types.h"

enum {
  WIRE_REGS = 8, /* six arguments, the stack pointer, the result: a power of two, so that an index can be masked */
};

/* A plan is a short program that copies the memory that the decoder will read. It works on slots: the call's
 * registers, which it may replace for itself, and words that it read. */
enum {
  WIRE_OPS = 8192,    /* all plans together */
  WIRE_COMMANDS = 4096, /* plans by command */
  WIRE_BUCKETS_BITS = 11, /* for the table that has them */
  WIRE_BUCKETS = 1 << WIRE_BUCKETS_BITS,
  WIRE_BUCKET = 8,      /* plans in a bucket */
  WIRE_SLOTS = 16,    /* 0..WIRE_REGS-1: regs of the record; the others hold loaded words. A power of two */
  WIRE_FIRST_FREE = WIRE_REGS,
  WIRE_LOOPS = 4,     /* loops within loops; a power of two */
  WIRE_PLAIN_OPS = 3,
};

enum wire_op_kind {
  WIRE_OP_STRING = 1, /* copies up to and with a NUL at slots[at] + offset, at most `max` bytes; where that ends within
                         a wchar_t and `element` is more than 1, `element` bytes too: it may be a string of those */
  WIRE_OP_BYTES,      /* copies `max` bytes at slots[at] + offset; counted: that many elements and `body` more, at most
                         `max` bytes */
  WIRE_OP_LOAD,       /* slots[to] = the unsigned number of `element` bytes at slots[at] + offset; 0 if there is none */
  WIRE_OP_MOVE,       /* slots[to] = slots[at] */
  WIRE_OP_WORDS,      /* slots[to] = how many words of `element` bytes there are up to and with a zero, at most `max` */
  WIRE_OP_WHEN,       /* the next `body` ops only if slots[at] is at least `element` and at most `max` */
  WIRE_OP_EACH, /* the next `body` ops for each counted item of `element` bytes, at most `max`: slots[to] is where it is
                 */

  /* Context operations. */
  WIRE_OP_AROUND = 32, /* where they begin */
  WIRE_OP_FD = 32,     /* slots[at] is a descriptor, or AT_FDCWD */
  WIRE_OP_FD_SET,      /* an fd_set of slots[count] bits at slots[at] */
  WIRE_OP_CONTROL,  /* control messages (cmsg(3)), slots[count] bytes at slots[at]: the descriptors of SCM_RIGHTS and
                       SCM_PIDFD, the processes of SCM_CREDENTIALS */
  WIRE_OP_PID,      /* slots[at] is the id of a process or thread */
  WIRE_OP_IDENTITY, /* slots[at] is a descriptor: WIRE_DETAILS of a netlink socket or a device, empty ones of another
                       file */
  WIRE_OP_COMM,     /* the thread's comm */
  WIRE_OP_NAMESPACES,     /* slots[at] is the id of a process: its namespaces */
  WIRE_OP_OWN_NAMESPACES, /* the thread's, as those of id 0 */
  WIRE_OP_DIRECTORY,      /* the thread's current directory, as the file of AT_FDCWD */
};

enum wire_op_flags {
  WIRE_OP_COUNTED = 1,  /* by slots[count]; none by a result that is negative */
  WIRE_OP_HALF = 2,     /* for the count only the lower 32 bits */
  WIRE_OP_BITS = 4,     /* the count is of bits, in whole words of 8 bytes */
  WIRE_OP_PAGES = 8,    /* the count is of bytes, an element for each page */
  WIRE_OP_IF_DONE = 16, /* only if the call succeeded */
  WIRE_OP_MAY_END = 32, /* a guess at the size: bytes after the first page need not be there */
  WIRE_OP_IOCTL = 64, /* as many bytes as the command in slots[count] says (_IOC_SIZE); none if its type (_IOC_TYPE) is
                       * not `to`, where that is not 0 */
  WIRE_OP_MESSAGES = 128, /* more than `element` bytes only if descriptor slots[0] is a netlink socket */
};

struct wire_op {
  wire_u8 kind; /* enum wire_op_kind */
  wire_u8 at, to, count; /* slots */
  wire_u8 flags; /* enum wire_op_flags */
  wire_u8 body;
  wire_u16 offset;
  wire_u32 element;
  wire_u32 max;
};

enum wire_plan_flags {
  WIRE_PLAN_WANTED = 1,   /* this call is reported */
  WIRE_PLAN_AT_ENTER = 2, /* the entry is reported at once: its memory is gone or changed when the call returns. Other
                           * calls are one record, unless they sleep: then their entry is reported when they do */
  WIRE_PLAN_STACK_AT_ENTER = 8, /* where stacks are asked for: with its entry, which is reported at once. Those of other
                                 * calls are the same when they return */
  WIRE_PLAN_SAVES = 16,         /* for a function: its return needs the slots of its entry */
  WIRE_PLAN_COMMANDS = 4,       /* a plan of the command replaces this one, if there is one */
  WIRE_PLAN_OVERLAPS =
      64, /* a string argument may overlap the memory that the call fills in: its entry is reported at once then */
  WIRE_PLAN_PLAIN =
      32, /* the operations copy from registers' slots and are at most WIRE_PLAIN_OPS: the call may go to a lane */
};

enum wire_floating_use {
  WIRE_TAKES_FLOATINGS = 1,
  WIRE_MAY_TAKE_FLOATINGS = 2, /* if %al is not 0 */
  WIRE_RETURNS_FLOATINGS = 4,
};

/* The places of a string argument, and of the memory that the call fills in. */
enum wire_overlap {
  WIRE_TEXT_0_IN_1 = 1,
  WIRE_TEXT_0_IN_2 = 2,
  WIRE_TEXT_1_IN_2 = 4,
  WIRE_TEXT_1_IN_3 = 8,
  WIRE_TEXT_1_IN_4 = 16,
};

struct wire_plan {
  wire_u8 flags; /* enum wire_plan_flags */
  wire_u8 enter_ops, exit_ops; /* ops for the entry, then ops for the return */
  union {
    wire_u8 command_reg;
    wire_u8 floatings; /* for a function: enum wire_floating_use */
    wire_u8 overlaps;  /* with WIRE_PLAN_OVERLAPS: enum wire_overlap */
  };
  union {
    wire_u32 command_mask;
    wire_u32 filled; /* with WIRE_PLAN_OVERLAPS: bytes that the call fills in; 0: as many as the register behind says */
  };
  wire_u32 first; /* op */
  wire_u32 commands; /* bits of the commands that have plans of their own: wire_bit_of() */
};

/* The key of a plan by command. */
struct wire_command {
  wire_u32 call; /* abi * WIRE_CALLS + number */
  wire_u32 command;
};

/* A table that user space fills by writing to memory, and in which a program finds a plan at one look. No key is zero:
 * call 0 has no commands. */
struct wire_bucket {
  wire_u64 keys[WIRE_BUCKET]; /* wire_key_of() */
  struct wire_plan plans[WIRE_BUCKET];
};

static inline wire_u64 wire_key_of(wire_u32 call, wire_u32 command) { return (wire_u64)command << 32 | call; }

/* One of 32. The common commands of fcntl(2) have bits that none with a plan shares. */
static inline wire_u32 wire_bit_of(wire_u32 command) { return (command & 15) | (command >> 10 & 1) << 4; }

static inline wire_u32 wire_bucket_of(wire_u32 call, wire_u32 command, wire_u32 seed) {
  return (call * 0x9e3779b1u + command) * seed >> (32 - WIRE_BUCKETS_BITS);
}
