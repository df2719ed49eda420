// Numbers, names and forms that several commands of Btrfs have: <linux/btrfs.h>, <linux/btrfs_tree.h>.
#pragma once

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

/// Ids of trees and objects; numbers with UINT64_MAX by name; types of items.
extern const ConstantSet kBtrfsObjects, kBtrfsLimits, kBtrfsItemTypes;
inline constexpr Type kBtrfsObject = notation::named(kBtrfsObjects, Width::B8);
inline constexpr Type kBtrfsLimit = notation::named(kBtrfsLimits, Width::B8);
inline constexpr Type kBtrfsItemType = notation::named(kBtrfsItemTypes);

extern const ConstantSet kBtrfsVolumeFlags;  ///< BTRFS_SUBVOL_…
extern const ConstantSet kBtrfsBlockGroups;  ///< BTRFS_BLOCK_GROUP_…

/// The number of a device, as dev_t is shown.
inline constexpr Type kBtrfsDevice = notation::number(Width::B8, Show::Device);

/// A file name in place: never cut by -s.
constexpr Type path_array(uint32_t bytes) {
  Type type = notation::char_array(bytes);
  type.text = TextKind::Path;
  return type;
}

}  // namespace strut
