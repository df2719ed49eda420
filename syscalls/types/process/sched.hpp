// Scheduling calls: policies, struct sched_attr, CPU sets, priorities of processes and of their input and output.
#pragma once

#include "syscalls/conditions.hpp"
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
inline constexpr Type kMembarrierResult = notation::kEither<int_arg_is<0, 0>, notation::kHex64, notation::kU64>;
Value supported_membarriers(Decoder& decoder);

extern const Type kSchedParam;

/// A policy with or without SCHED_RESET_ON_FORK.
bool resets_policy_on_fork(Decoder& decoder, Addr policy);
inline constexpr Type kPolicyAlone = notation::named(kSchedPolicies),
                      kPolicyAndFlag = notation::named(kSchedPolicyFlags);
inline constexpr Type kSchedPolicy = notation::kEither<resets_policy_on_fork, kPolicyAndFlag, kPolicyAlone>;
/// Behind sched_getscheduler(2)'s result.
Value sched_policy_result(Decoder& decoder);

/// struct sched_attr: as large as itself says (sched_setattr), or as argument 2 allows (sched_getattr).
Value decode_sched_attr_given(Decoder& decoder, uint64_t at, size_t);
Value decode_sched_attr_taken(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSchedAttrGiven = notation::custom(decode_sched_attr_given, 48);
inline constexpr Type kSchedAttrTaken = notation::custom(decode_sched_attr_taken, 48);

/// A CPU set of as many bytes as argument 1 says, or the result; of a larger one those of cpu_set_t: 1024 CPUs.
inline constexpr Type kCpuSetGiven = notation::bit_set(notation::kU64, notation::at_most(1024, notation::by_arg(1)));
inline constexpr Type kCpuSetTaken = notation::bit_set(notation::kU64, notation::at_most(1024, notation::by_result()));
/// The process argument of getpriority(2) and setpriority(2), and of ioprio_get(2): a process only with certain values
/// of argument 0.
inline constexpr Type kPriorityWho = notation::kEither<int_arg_is<0, 0>, notation::kPid, notation::kInt>;
inline constexpr Type kIoprioWhoId = notation::kEither<int_arg_is<0, 1>, notation::kPid, notation::kInt>;
/// IOPRIO_PRIO_VALUE(class, data); as a number in decimal, or in hexadecimal.
extern const WordLayout kIoprioForm, kIoprioFormInHex;
inline constexpr Type kIoprio = notation::word(kIoprioForm);
Value ioprio_result(Decoder& decoder);

}  // namespace strut
