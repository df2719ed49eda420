/* The interface between the BPF programs of system calls and functions and user space: capture plans in, records out. */
#pragma once

#include "kassist/wire/cast_wire.h"
#include "kassist/wire/chunk_wire.h"
#include "kassist/wire/context_wire.h"
#include "kassist/wire/control_wire.h"
#include "kassist/wire/lane_wire.h"
#include "kassist/wire/mark_wire.h"
#include "kassist/wire/plan_wire.h"
#include "kassist/wire/record_wire.h"
#include "kassist/wire/site_wire.h"
#include "kassist/wire/wire_types.h"

enum {
  WIRE_ABIS = 3,     /* in the order of strut::Abi */
  WIRE_CALLS = 1024, /* numbers per ABI: a power of two */
};
