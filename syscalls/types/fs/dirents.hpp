// Directory entries: getdents(2), getdents64, i386 readdir.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

/// A buffer of struct linux_dirent64, as many bytes as the result says. In full: the entries; else how many there are.
Value decode_dirents64(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kDirents64 =
    notation::reading(notation::custom(decode_dirents64), kReadsByResult<kWhole<(1u << 20)>>);
/// For struct linux_dirent, with the type in the last byte of each record.
Value decode_dirents(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kDirents =
    notation::reading(notation::custom(decode_dirents), kReadsByResult<kWhole<(1u << 20)>>);
/// The one struct old_linux_dirent of readdir, which returns 1 then; 0 is the end of the directory.
extern const Type kOneOldDirent;
inline constexpr Type kOldDirentPointer = notation::pointer_to(kOneOldDirent);
inline constexpr Type kOldDirent = notation::kEither<has_result, kOldDirentPointer, notation::kAddress>;
/// DT_…: <dirent.h>.
extern const ConstantSet kDirentTypes;

}  // namespace strut
