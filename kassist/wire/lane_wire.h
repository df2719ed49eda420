/* Lanes: rings of a CPU's own for plain calls. C, for both sides. */
#pragma once

#include "kassist/wire/wire_types.h"

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
