// The capture plans of a request without options that plans depend on: computed by the build, for computing them takes
// as long as a seventh of a start.
#pragma once

#include <optional>

#include "kassist/plans/plan_table.hpp"

namespace strut {

/// The result of plans_for(), in static storage: calls, then buckets, then operations. nullopt: the result would
/// differ.
std::optional<PlanView> usual_plans(const TraceRequest& request);

}  // namespace strut
