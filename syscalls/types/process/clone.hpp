// clone(2), clone3(2), unshare(2), setns(2): flags, arguments and struct clone_args.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/process/thread_area.hpp"

namespace strut {

extern const ConstantSet kCloneFlags;  ///< without the exit signal
extern const ConstantSet kClone3Flags;
extern const ConstantSet kUnshareFlags;
extern const ConstantSet kSetnsTypes;

/// clone(2)'s flag word: flags and, in the lowest byte, the exit signal.
extern const WordLayout kCloneFlagWord;
inline constexpr Type kCloneWord = notation::word(kCloneFlagWord, Width::Long);

/// The value that clone(2) stores through parent_tid: a thread id, or with CLONE_PIDFD a descriptor.
bool clone_stores_tid(Decoder& decoder, Addr);
inline constexpr Type kTidOrPidfd = notation::kEither<clone_stores_tid, notation::kPid, notation::kFd>;
inline constexpr Type kCloneParentTid = notation::pointer_to(kTidOrPidfd);
/// The thread pointer: an address, on i386 a struct user_desc.
inline constexpr Type kCloneTls = notation::kEither<is_i386, kUserDescPointer, notation::kAddress>;

/// struct clone_args, of the size in argument 1; when the call has made a child, with the values that it stored.
Value decode_clone_args(Decoder& decoder, uint64_t at, size_t);
extern const Type kCloneArgsRead;
inline constexpr Type kCloneArgs = notation::reading(notation::custom(decode_clone_args, 64), kCloneArgsRead);

// Which arguments a clone(2) has, by its flags.
bool clone_stores_parent_tid(const Call& call);
bool clone_sets_tls(const Call& call);
bool clone_uses_child_tid(const Call& call);

}  // namespace strut
