// Capture plans of function calls: which arguments and results the programs copy, by their descriptions.
#pragma once

#include "kassist/plans/plan.hpp"
#include "syscalls/function.hpp"
#include "trace/request.hpp"

namespace strut {

/// Slots 0 to 5 are the integer registers that arguments are passed in, WIRE_SP is the address that the return address
/// lies at, WIRE_RESULT, at the return, %rax. WIRE_PLAN_SAVES is set where the return needs the slots that the entry
/// had.
CallPlan plan_of(const FunctionDesc& desc, const TraceRequest& request);

}  // namespace strut
