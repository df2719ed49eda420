// Searches in the trees of Btrfs, and what is found at an inode or a block: <linux/btrfs.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// struct btrfs_ioctl_search_args, and its second version with room for more.
extern const Type kBtrfsSearch, kBtrfsSearch2;
/// struct btrfs_ioctl_ino_lookup_args.
extern const Type kBtrfsLookup;
/// struct btrfs_ioctl_ino_path_args, struct btrfs_ioctl_logical_ino_args.
extern const Type kBtrfsPaths, kBtrfsInodes;
/// struct btrfs_ioctl_space_args.
extern const Type kBtrfsSpaces;

}  // namespace strut
