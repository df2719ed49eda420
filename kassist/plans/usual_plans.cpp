#include "kassist/plans/usual_plans.hpp"

#include <cstddef>

#include "kassist/plans/around.hpp"

// STRUT_USUAL_PLANS is the output of tools/usual_plans.cpp, from the Makefile.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "strut_usual_plans: .incbin \"" STRUT_USUAL_PLANS
    "\"\n"
    "strut_usual_plans_end:\n"
    ".popsection\n");

extern "C" const std::byte strut_usual_plans[];
extern "C" const std::byte strut_usual_plans_end[];

namespace strut {

namespace {

constexpr size_t kHeadWords = 4;  ///< the first is the seed
constexpr size_t kCalls = size_t{WIRE_ABIS} * WIRE_CALLS;

/// Does not compile when there is an option more: plans may depend on it. Those that are not named here are
/// surroundings.
bool is_usual(const DecodeOptions& options) {
  const auto& [max_string_bytes, max_items, targets, details, comms, pids, namespaces, reads, writes, raw, dereference,
               abbreviate] = options;
  const DecodeOptions usual;
  return max_string_bytes == usual.max_string_bytes && max_items == usual.max_items && reads.none() && writes.none() &&
         raw == usual.raw && dereference == usual.dereference && abbreviate == usual.abbreviate;
}

/// The request has no option that plans depend on.
bool is_usual(const TraceRequest& request) {
  return request.calls == SyscallSet::all() && is_usual(request.decode) && request.paths.empty() &&
         request.fds.empty() && !request.fds_inverted && request.decode_arguments && request.stack_frames == 0 &&
         surroundings_wanted(request) == 0;
}

}  // namespace

std::optional<PlanView> usual_plans(const TraceRequest& request) {
  if (!is_usual(request)) return std::nullopt;
  auto* seed = reinterpret_cast<const uint32_t*>(strut_usual_plans);
  auto* calls = reinterpret_cast<const wire_plan*>(seed + kHeadWords);
  auto* buckets = reinterpret_cast<const wire_bucket*>(calls + kCalls);
  auto* ops = reinterpret_cast<const wire_op*>(buckets + WIRE_BUCKETS);
  auto* end = reinterpret_cast<const wire_op*>(strut_usual_plans_end);
  return PlanView{{calls, kCalls}, {ops, end}, {buckets, WIRE_BUCKETS}, *seed};
}

}  // namespace strut
