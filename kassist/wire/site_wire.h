/* Sites of functions (trace/function_points.hpp). C, for both sides. */
#pragma once

#include "kassist/wire/wire_types.h"

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
