// ptrace(2)'s access to a tracee's user area: registers by offset, by structure and by note type.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// An offset in struct user as <sys/reg.h> and <sys/user.h> name it: 8*RAX, offsetof(struct user, u_debugreg)+8.
Value show_user_offset(Decoder& decoder, uint64_t offset);
inline constexpr Type kUserOffset = notation::shown_by(show_user_offset);

extern const Type kUserRegs;    ///< struct user_regs_struct
extern const Type kUserFpRegs;  ///< struct user_fpregs_struct
extern const ConstantSet kRegsetTypes;  ///< NT_*

/// An iovec with a buffer of registers of the note type in argument 2: those that the kernel stored, with its change of
/// the length (a remembered Out), or those that it is given.
Value decode_regset_taken(Decoder& decoder, uint64_t at, size_t);
Value decode_regset_given(Decoder& decoder, uint64_t at, size_t);
extern const Type kRegsetRead;
inline constexpr Type kRegsetTaken = notation::reading(notation::custom(decode_regset_taken, 16), kRegsetRead);
inline constexpr Type kRegsetGiven = notation::reading(notation::custom(decode_regset_given, 16), kRegsetRead);

}  // namespace strut
