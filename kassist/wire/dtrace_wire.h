/* The interface between D programs in the kernel and strut: records, tables, shared memory. For C (BPF) and C++. */
#pragma once

#include <linux/types.h>

/* -- records ---------------------------------------------------------------------------------------- */

enum d_record_kind {
  D_FIRED = 1, /* a clause recorded something: `item_bytes` of actions as dlang/machine/record.hpp has them */
  D_FAULTED,   /* a clause ended in a fault: no items */
  D_TAKEN,     /* an aggregation with a stack among its keys, or with a late value, was updated: items are its keys */
};

/* In front of every record in the ring. Behind it `item_bytes` of items, then, if stack_bytes is not 0, a struct
 * d_stack. */
struct d_record {
  __u32 kind;         /* enum d_record_kind */
  __u32 probe;        /* the place in the order of add_probes() */
  __u32 clause;
  __u32 cpu;
  __u32 pid, tid;     /* in strut's pid namespace */
  __u64 time_ns;      /* CLOCK_MONOTONIC, when the probe fired */
  __u32 item_bytes;   /* a multiple of 8 */
  __u32 stack_bytes;  /* for the struct d_stack and the following bytes */
  union {
    struct {          /* D_FAULTED */
      __u64 address;
      __u32 fault; /* strut::DFault */
    };
    struct {          /* D_TAKEN */
      __s64 value;
      __u32 aggregation;
      __s32 weight;
    };
  };
  __u32 code; /* D_FAULTED, D_TAKEN: the instruction's index in its clause */
  __u32 unused;
};

/* A UserStack item in a record of the kernel's has no addresses. Its count is this and how many are wanted at most. */
#define D_STACK_WANTED (1ull << 63)

/* The user's registers in the order of their DWARF numbers, as struct wire_registers has them. */
struct d_stack {
  __u64 regs[17];
  __u64 at;     /* the address of the first byte of the copy: the stack pointer */
  __u64 end;    /* the end of the stack, or of the part to be copied */
  __u32 bytes;  /* copied, behind this */
  __u32 whole;  /* 1: it ends there; 0: it goes on, or could not be read on */
};

/* A call's entry with clauses that wait for its return, since they read a page that was not in memory: the kernel
 * brings it in for the call itself. */
#define D_CALL_ARGUMENTS 6
struct d_waiting {
  struct d_record fault; /* D_FAULTED: the report if the call never returns */
  __u64 cookie;          /* for the firing to continue; fault.clause is the first of its clauses */
  __u64 given[D_CALL_ARGUMENTS];
};

/* -- sites -------------------------------------------------------------------------------------------- */

enum d_firing_kind {
  D_OFFSET = 0,       /* no arguments */
  D_ENTRY,            /* for a function: registers, and its stack from arg6 on */
  D_RETURN,           /* arg0 is `offset`, arg1 and arg2 the results */
  D_CALL_ENTRY,       /* for a system call: its arguments from `offset` on */
  D_CALL_RETURN,      /* the result, as arg0 and arg1 */
  D_GIVEN,            /* given by the hook: process events, profiles, DKernelProgram::fire() */
  D_OPERANDS,         /* of statically defined probes and kinds of instructions: `hook` operands from `offset` on in
                         the table of operands */
};

/* An argument of a probe at a site (strut::SiteOperand). Registers are places in struct pt_regs. */
enum d_operand_place { D_UNKNOWN = 0, D_CONSTANT, D_REGISTER, D_MEMORY, D_OUTCOME };
#define D_NO_REGISTER 0xff
struct d_operand {
  __s64 displacement;
  __u8 place; /* enum d_operand_place */
  __u8 bytes; /* 1, 2, 4 or 8 */
  __u8 is_signed;
  __u8 skip;  /* bytes of the register below the value */
  __u8 base, index, scale;
  __u8 condition; /* D_OUTCOME: for the flags; 0xff: none */
};

/* d_firing.condition of a repeated string instruction, which is hit once for each turn (strut::Repetition). D_NO_TURNS:
 * bits that are 0 there, but not in 0xff. */
enum {
  D_TURN_BYTES = 3,
  D_TURNS_SCAN = 4,
  D_TURNS_COMPARE = 8,
  D_TURNS_TO_EQUAL = 0x10,
  D_TURNS = 0x40,
  D_NO_TURNS = 0xa0
};

/* The last hit of a thread in a repeated instruction. */
struct d_turn_of {
  __u64 ip, sp, count;
  __u64 goes_on; /* another turn follows */
};

/* A watched range of a process's memory. */
struct d_watched_key {
  __u64 address;
  __u32 pid;
  __u32 unused;
};
struct d_watched {
  __u64 value;  /* of the last hit, or when the watch began */
  __u32 probe;
  __u32 memory; /* the process that the value is kept for: another one where they share their memory */
  __u8 bytes;   /* 1, 2, 4 or 8; 0: an instruction */
  __u8 is_read; /* fires where the value has not changed */
  __u8 unused[6];
};

/* One probe at a site. */
struct d_firing {
  __u32 probe;
  __u32 offset;
  __u8 kind;       /* enum d_firing_kind */
  __u8 condition;  /* for the flags, by which it fires; D_TURNS: at the first turn; 0xff: always */
  __u8 more;       /* the next firing of the table is this site's, too */
  __u8 hook;       /* for a process event: enum strut::DTrigger::Process; D_OPERANDS: how many */
  __u32 pid;       /* fires in this process only; 0: in all */
  __u32 variables; /* in the table of operands: the first of the program's variables that the clauses name */
  __u32 unused;    /* a multiple of 8 bytes: mapped arrays round up */
};
