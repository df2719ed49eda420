// ioctl commands about other processes: pidfd_open(2)'s descriptors, seccomp_unotify(2).
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kProcessIoctls;
/// Commands that take structures of several sizes: the rows' numbers say none.
extern const IoctlRows kSizedIoctls;

}  // namespace strut
