// AUDIT_ARCH_* of <linux/audit.h>: names of system-call ABIs across architectures.
#pragma once

#include "base/arena.hpp"
#include "syscalls/abi.hpp"
#include "syscalls/constants.hpp"
#include "syscalls/value.hpp"

namespace strut {

extern const ConstantSet kAuditArch;

inline constexpr uint32_t kAuditArchX86_64 = 0xc000003e;
inline constexpr uint32_t kAuditArchI386 = 0x40000003;

/// A system call's number as an architecture counts it: a name if `own` is that ABI, a number with a remark if it is
/// another known one, else a number.
Value system_call_value(Arena& arena, uint64_t nr, uint32_t arch, Abi own);

}  // namespace strut
