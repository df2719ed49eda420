// Scheduling calls: policies, struct sched_attr, CPU sets, priorities of processes and of their input and output.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kSchedPolicies;     ///< for sched_get_priority_max(2)
extern const ConstantSet kSchedPolicyFlags;  ///< with SCHED_RESET_ON_FORK
extern const ConstantSet kSchedAttrFlags;
extern const ConstantSet kSchedGetattrFlags;
extern const ConstantSet kPriorityWhich;
extern const ConstantSet kIoprioWho;
extern const ConstantSet kMembarrierCommands;
extern const ConstantSet kMembarrierFlags;
/// membarrier(2) says which commands there are if it is asked (command 0).
Value decode_membarrier_result(Decoder& decoder, uint64_t bits, size_t);
inline constexpr Type kMembarrierResult = notation::custom(decode_membarrier_result);
Value supported_membarriers(Decoder& decoder);

extern const Type kSchedParam;

/// A policy with or without SCHED_RESET_ON_FORK.
Value decode_sched_policy(Decoder& decoder, uint64_t policy, size_t);
inline constexpr Type kSchedPolicy = notation::custom(decode_sched_policy);
/// Behind sched_getscheduler(2)'s result.
Value sched_policy_result(Decoder& decoder);

/// struct sched_attr: as large as itself says (sched_setattr), or as argument 2 allows (sched_getattr).
Value decode_sched_attr_given(Decoder& decoder, uint64_t at, size_t);
Value decode_sched_attr_taken(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSchedAttrGiven = notation::custom(decode_sched_attr_given, 48);
inline constexpr Type kSchedAttrTaken = notation::custom(decode_sched_attr_taken, 48);

/// A CPU set of as many bytes as argument 1 says, or the result.
Value decode_cpu_set_given(Decoder& decoder, uint64_t at, size_t);
Value decode_cpu_set_taken(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kCpuSetGiven = notation::custom(decode_cpu_set_given, 8);
inline constexpr Type kCpuSetTaken = notation::custom(decode_cpu_set_taken, 8);

/// The process argument of getpriority(2) and setpriority(2), and of ioprio_get(2): a process only with certain values
/// of argument 0.
Value decode_priority_who(Decoder& decoder, uint64_t who, size_t);
Value decode_ioprio_who(Decoder& decoder, uint64_t who, size_t);
inline constexpr Type kPriorityWho = notation::reading(notation::custom(decode_priority_who), notation::kPid);
inline constexpr Type kIoprioWhoId = notation::reading(notation::custom(decode_ioprio_who), notation::kPid);

/// IOPRIO_PRIO_VALUE(class, data), or so where names are not wanted.
Value io_priority(Decoder& decoder, uint64_t priority, Show as_number);
Value decode_ioprio(Decoder& decoder, uint64_t priority, size_t);
inline constexpr Type kIoprio = notation::custom(decode_ioprio);
Value ioprio_result(Decoder& decoder);

}  // namespace strut
