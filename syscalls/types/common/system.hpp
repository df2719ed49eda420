// Calls about the whole system: uname(2), sysinfo(2), syslog(2), swapon(2), reboot(2), modules and kexec.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const Type kUtsname;   ///< struct new_utsname
extern const Type kSysinfo;
extern const Type kSysctlArgs;  ///< struct __sysctl_args of _sysctl, which Linux 5.5 dropped

/// A host or domain name that is set: argument 1 says how long it is.
Value decode_system_name(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSystemName = notation::reading(notation::custom(decode_system_name), kReadsByArg<kWhole<64>, 1>);

/// syslog's action: a number with its name as a remark, in every style.
Value decode_syslog_action(Decoder& decoder, uint64_t action, size_t);
inline constexpr Type kSyslogAction = notation::custom(decode_syslog_action);
extern const CommandTable kSyslogTable;

/// swapon's flags and, below them, a priority.
Value decode_swap_flags(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kSwapFlags = notation::custom(decode_swap_flags);

extern const ConstantSet kRebootMagic1;
extern const ConstantSet kRebootMagic2;
extern const ConstantSet kRebootCommands;
/// The command that takes a string.
bool reboot_has_argument(const Call& call);

extern const ConstantSet kDeleteModuleFlags;
extern const ConstantSet kLoadModuleFlags;

/// kexec_load's flags: an architecture and flags, shown as two words.
Value decode_kexec_flags(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kKexecFlags = notation::custom(decode_kexec_flags);
extern const ConstantSet kKexecFileFlags;
/// Segments, no more than KEXEC_SEGMENT_MAX of them.
extern const Type kKexecSegments;

extern const ConstantSet kRandomFlags;  ///< getrandom

/// A kernel's version in a word: KERNEL_VERSION(5, 6, 7).
Value decode_kernel_version(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kKernelVersion = notation::custom(decode_kernel_version, 4, Width::B4);

}  // namespace strut
