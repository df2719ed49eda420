// Devices of a Btrfs, their errors, their replacement and what is checked on them: <linux/btrfs.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// struct btrfs_ioctl_dev_info_args, btrfs_ioctl_dev_replace_args, btrfs_ioctl_get_dev_stats.
extern const Type kBtrfsDeviceInfo, kBtrfsReplacement, kBtrfsDeviceErrors;
/// struct btrfs_ioctl_scrub_args: at its start, and asked for.
extern const Type kBtrfsScrub, kBtrfsScrubProgress;

}  // namespace strut
