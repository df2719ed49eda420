// Capture plans: what the programs copy of a call, computed from its row and from the request.
#pragma once

#include <span>
#include <vector>

#include "kassist/wire/wire.h"
#include "trace/request.hpp"

namespace strut {

/// The plan of one call, or of one command of a multiplexer.
struct CallPlan {
  uint8_t flags = 0;      ///< enum wire_plan_flags
  uint8_t floatings = 0;  ///< for a function: enum wire_floating_use
  uint8_t overlaps = 0;   ///< with WIRE_PLAN_OVERLAPS: enum wire_overlap, and …
  uint32_t filled = 0;    ///< … wire_plan::filled
  std::vector<wire_op> enter, exit;
  bool operator==(const CallPlan&) const = delete;
};

/// The plan of a call that is wanted. `command`: of a multiplexer's call with this value in its command argument.
CallPlan plan_of(const SyscallDesc& desc, Abi abi, uint32_t nr, const TraceRequest& request);
CallPlan plan_of(const SyscallDesc& desc, Abi abi, uint32_t nr, uint64_t command, const TraceRequest& request);

}  // namespace strut
