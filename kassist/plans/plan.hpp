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

/// All plans as the programs read them.
struct PlanView {
  std::span<const wire_plan> calls;      ///< by abi * WIRE_CALLS + number
  std::span<const wire_op> ops;          ///< at most WIRE_OPS
  std::span<const wire_bucket> buckets;  ///< plans by command, by wire_bucket_of() with …
  uint32_t seed;                         ///< … this
};

/// A plan table while it is being built.
struct PlanTable {
  PlanView view() const { return {calls, ops, buckets, seed}; }

  std::vector<wire_plan> calls;
  std::vector<wire_op> ops;
  std::vector<wire_command> commands;    ///< at most WIRE_COMMANDS …
  std::vector<wire_plan> command_plans;  ///< … each with its plan
  std::vector<wire_bucket> buckets;      ///< the structures by name
  uint32_t seed = 0;
};
PlanTable plans_for(const TraceRequest& request);

/// Finds a seed with which no bucket overflows, and puts the plans there, replacing earlier ones.
void fill_buckets(PlanTable& table);

}  // namespace strut
