// inotify(7) and fanotify(7): <linux/inotify.h>, <linux/fanotify.h>.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kInotifyInitFlags;
extern const ConstantSet kInotifyMask;
extern const ConstantSet kFanotifyMarkFlags;
extern const ConstantSet kFanotifyMask;

/// fanotify_init's flags: a class and flags, shown as two words.
extern const WordLayout kFanotifyInitWord;
inline constexpr Type kFanotifyInitFlags = notation::word(kFanotifyInitWord);
/// A directory descriptor; -1 is FAN_NOFD.
extern const ConstantSet kFanotifyNoFds;
inline constexpr Type kFanotifyNoFd = notation::signed_type(notation::named(kFanotifyNoFds));
inline constexpr Type kFanotifyDirFd = notation::kEither<int_is<0xffffffff>, kFanotifyNoFd, notation::kDirFd>;

}  // namespace strut
