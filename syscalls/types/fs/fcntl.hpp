// fcntl(2): its commands, their arguments and the meanings of their results. <linux/fcntl.h>, <asm-generic/fcntl.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kFcntlCommands;
extern const CommandTable kFcntlTable;     ///< fcntl
extern const CommandTable kFcntl64Table;   ///< i386 fcntl64: knows the 64-bit locks besides
extern const ConstantSet kSeals;           ///< F_SEAL_…

/// The text after the result of commands that get flags, seals, leases and signals.
Value fcntl_aux(Decoder& decoder);

}  // namespace strut
