// The small flag words and enumerations of calls on files and descriptors.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kWhence;              ///< lseek
extern const ConstantSet kFileAdvice;          ///< fadvise64
extern const ConstantSet kAllocateModes;       ///< fallocate, <linux/falloc.h>
extern const ConstantSet kSyncRangeFlags;      ///< sync_file_range
extern const ConstantSet kRenameFlags;         ///< renameat2
extern const ConstantSet kFlockOperations;     ///< flock
extern const ConstantSet kCloseRangeFlags;     ///< close_range
extern const ConstantSet kReadWriteFlags;      ///< preadv2, pwritev2: RWF_…
extern const ConstantSet kSpliceFlags;         ///< splice, tee, vmsplice

/// The path that getcwd(2) stores; its result counts the NUL.
Value decode_cwd(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kCwd = notation::reading(notation::custom(decode_cwd), kReadsByResult<kWhole<4096>>);
/// Two descriptors: pipe, pipe2.
inline constexpr Type kFdPair = notation::array_of(notation::kFd, 2);

}  // namespace strut
