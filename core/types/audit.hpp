// AUDIT_ARCH_* of <linux/audit.h>: names of system-call ABIs across architectures.
#pragma once

#include "core/abi.hpp"
#include "core/constants.hpp"

namespace strut {

extern const ConstantSet kAuditArch;

inline constexpr uint32_t kAuditArchX86_64 = 0xc000003e;
inline constexpr uint32_t kAuditArchI386 = 0x40000003;

}  // namespace strut
