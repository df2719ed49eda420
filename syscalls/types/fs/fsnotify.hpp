// inotify(7) and fanotify(7): <linux/inotify.h>, <linux/fanotify.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kInotifyInitFlags;
extern const ConstantSet kInotifyMask;
extern const ConstantSet kFanotifyMarkFlags;
extern const ConstantSet kFanotifyMask;

/// fanotify_init's flags: a class and flags, shown as two words.
Value decode_fanotify_init(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kFanotifyInitFlags = notation::custom(decode_fanotify_init);
/// A directory descriptor; -1 is FAN_NOFD.
Value decode_fanotify_dirfd(Decoder& decoder, uint64_t fd, size_t);
inline constexpr Type kFanotifyDirFd = notation::reading(notation::custom(decode_fanotify_dirfd), notation::kDirFd);

}  // namespace strut
