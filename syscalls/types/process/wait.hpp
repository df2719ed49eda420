// wait4(2), waitid(2), waitpid(2), getrusage(2), getrlimit(2): options, ids, struct rusage and rlimits.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/process/group_id.hpp"

namespace strut {

extern const ConstantSet kWaitOptions;
extern const ConstantSet kWaitIds;  ///< P_ALL …
extern const ConstantSet kRusageWho;
extern const ConstantSet kResources;

extern const Type kRusage;
extern const Type kRlimit;    ///< the ABI's own: 64 bits, on i386 32
extern const Type kRlimit64;  ///< prlimit64(2)

/// wait4(2)'s pointers: followed only if a child was found.
inline constexpr Type kStatusPointer = notation::pointer_to(notation::kWaitStatus);
inline constexpr Type kRusagePointer = notation::pointer_to(kRusage);
inline constexpr Type kChildStatus = notation::kEither<has_result, kStatusPointer, notation::kAddress>;
inline constexpr Type kChildRusage = notation::kEither<has_result, kRusagePointer, notation::kAddress>;

/// waitid(2)'s id, by argument 0: a process or group, a descriptor, or a number.
inline constexpr Type kWaitidFd = notation::kEither<int_arg_is<0, 3>, notation::kFd, notation::kInt>;
inline constexpr Type kWaitidGroup = notation::kEither<int_arg_is<0, 2>, kGroupId, kWaitidFd>;
inline constexpr Type kWaitidId = notation::kEither<int_arg_is<0, 1>, notation::kPid, kWaitidGroup>;

}  // namespace strut
