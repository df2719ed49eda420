// wait4(2), waitid(2), waitpid(2), getrusage(2), getrlimit(2): options, ids, struct rusage and rlimits.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kWaitOptions;
extern const ConstantSet kWaitIds;  ///< P_ALL …
extern const ConstantSet kRusageWho;
extern const ConstantSet kResources;

extern const Type kRusage;
extern const Type kRlimit;    ///< the ABI's own: 64 bits, on i386 32
extern const Type kRlimit64;  ///< prlimit64(2)

/// wait4(2)'s pointers: followed only if a child was found.
Value decode_child_status(Decoder& decoder, uint64_t pointer, size_t);
Value decode_child_rusage(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kChildStatus =
    notation::reading(notation::custom(decode_child_status), kReadsOne<notation::kInt>);
inline constexpr Type kChildRusage = notation::reading(notation::custom(decode_child_rusage), kReadsOne<kRusage>);

/// waitid(2)'s id, by argument 0: a process or group, a descriptor, or a number.
Value decode_waitid_id(Decoder& decoder, uint64_t id, size_t);
inline constexpr Type kWaitidId = notation::reading(notation::custom(decode_waitid_id), kPidOrFd);

}  // namespace strut
