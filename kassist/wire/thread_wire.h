/* Threads that do not run, as their BPF program reports them: plain C for both sides. */
#pragma once

#include "kassist/wire/wire.h"

/* One for each thread, from the iterator of threads.bpf.c. */
struct wire_thread {
  wire_u32 tid;
  wire_u16 stopped_by; /* the signal of the group-stop it is in; 0: none */
  wire_u8 abi;         /* strut::Abi, of `nr` */
  wire_u8 unused;
  wire_u64 nr;         /* orig_ax: -1 outside of calls, and the number as the kernel was given it */
  wire_u64 switches;   /* context switches: unchanged, it has not run */
  struct wire_registers registers;
};
