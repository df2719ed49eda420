// Calls about the whole system: uname(2), sysinfo(2), syslog(2), swapon(2), reboot(2), modules and kexec.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

extern const Type kUtsname;   ///< struct new_utsname
extern const Type kSysinfo;
extern const Type kSysctlArgs;  ///< struct __sysctl_args of _sysctl, which Linux 5.5 dropped

/// A host or domain name that is set: argument 1 says how long it is, up to __NEW_UTS_LEN.
inline constexpr Type kNameOfLength = notation::pointer_to(notation::kBytes, notation::by_arg(1));
inline constexpr Type kSystemName = notation::kEither<arg_within<1, 64>, kNameOfLength, notation::kAddress>;

extern const ConstantSet kSyslogActions;
inline constexpr Type kSyslogAction = notation::remarked_with(kSyslogActions, notation::kInt);
extern const CommandTable kSyslogTable;

/// swapon's flags and, below them, a priority.
extern const WordLayout kSwapWord;
inline constexpr Type kSwapFlags = notation::word(kSwapWord);

extern const ConstantSet kRebootMagic1;
extern const ConstantSet kRebootMagic2;
extern const ConstantSet kRebootCommands;
/// The command that takes a string.
bool reboot_has_argument(const Call& call);

extern const ConstantSet kDeleteModuleFlags;
extern const ConstantSet kLoadModuleFlags;

/// kexec_load's flags: an architecture and flags, shown as two words.
extern const WordLayout kKexecWord;
inline constexpr Type kKexecFlags = notation::word(kKexecWord, Width::Long);
extern const ConstantSet kKexecFileFlags;
/// As many segments as argument 1 says, no more than KEXEC_SEGMENT_MAX of them.
extern const Type kKexecSegment;
inline constexpr Type kKexecSegmentList = notation::pointer_to(kKexecSegment, notation::by_arg(1));
inline constexpr Type kKexecSegments = notation::kEither<arg_within<1, 16>, kKexecSegmentList, notation::kAddress>;

extern const ConstantSet kRandomFlags;  ///< getrandom

/// A kernel's version in a word: KERNEL_VERSION(5, 6, 7).
extern const WordLayout kKernelVersionForm;
inline constexpr Type kKernelVersion = notation::word(kKernelVersionForm);

}  // namespace strut
