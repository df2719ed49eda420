// All capture plans of a run, as the programs read them.
#pragma once

#include <span>
#include <vector>

#include "kassist/wire/wire.h"
#include "trace/request.hpp"

namespace strut {

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
