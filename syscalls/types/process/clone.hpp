// clone(2), clone3(2), unshare(2), setns(2): flags, arguments and struct clone_args.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kCloneFlags;  ///< without the exit signal
extern const ConstantSet kClone3Flags;
extern const ConstantSet kUnshareFlags;
extern const ConstantSet kSetnsTypes;

/// clone(2)'s flag word: flags and, in the lowest byte, the exit signal.
Value decode_clone_flags(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kCloneWord = notation::custom(decode_clone_flags);

/// The value that clone(2) stores through parent_tid: a thread id, or with CLONE_PIDFD a descriptor.
Value decode_clone_parent_tid(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kCloneParentTid =
    notation::reading(notation::custom(decode_clone_parent_tid), kReadsOne<kPidOrFd>);
/// The thread pointer: an address, on i386 a struct user_desc.
Value decode_clone_tls(Decoder& decoder, uint64_t pointer, size_t);
inline constexpr Type kCloneTls = notation::reading(notation::custom(decode_clone_tls), kReadsOne<kWhole<16>>);

/// struct clone_args, of the size in argument 1; when the call has made a child, with the values that it stored.
Value decode_clone_args(Decoder& decoder, uint64_t at, size_t);
extern const Type kCloneArgsRead;
inline constexpr Type kCloneArgs = notation::reading(notation::custom(decode_clone_args, 64), kCloneArgsRead);

// Which arguments a clone(2) has, by its flags.
bool clone_stores_parent_tid(const Call& call);
bool clone_sets_tls(const Call& call);
bool clone_uses_child_tid(const Call& call);

}  // namespace strut
