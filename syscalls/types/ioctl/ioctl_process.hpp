// ioctl commands about other processes: pidfd_open(2)'s descriptors, seccomp_unotify(2).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kProcessIoctls;
/// Commands that take structures of several sizes: the rows' numbers say none.
extern const IoctlRows kSizedIoctls;

inline constexpr uint32_t kProcessInfo = 0xc000ff0b;  ///< PIDFD_GET_INFO, without a size
/// The sizes that struct pidfd_info has had: PIDFD_INFO_SIZE_VER0 and on.
inline constexpr uint32_t kProcessInfoSizes[] = {64, 72, 80, 88};

}  // namespace strut
