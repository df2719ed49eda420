// Mounting: mount(2) and umount(2), the descriptors of fsopen(2) and open_tree(2), mount_setattr(2). <linux/mount.h>.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

extern const ConstantSet kUnmountFlags;
extern const ConstantSet kFsopenFlags;
extern const ConstantSet kFsmountFlags;
extern const ConstantSet kFspickFlags;
extern const ConstantSet kMoveMountFlags;
extern const ConstantSet kOpenTreeFlags;
extern const ConstantSet kMountAttributes;       ///< MOUNT_ATTR_… of a new mount
extern const ConstantSet kMountSetAttributes;    ///< with MOUNT_ATTR_IDMAP, which only mount_setattr knows
extern const ConstantSet kMountPropagation;      ///< MS_SHARED … of mount_setattr
extern const ConstantSet kFsconfigCommands;
extern const CommandTable kFsconfigTable;

/// MS_…, behind the old magic number MS_MGC_VAL where that is still passed.
Value decode_mount_flags(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kMountFlags = notation::custom(decode_mount_flags);
/// The file system's type and options: text only for the operations that look at them.
Value decode_mount_type(Decoder& decoder, uint64_t at, size_t);
Value decode_mount_options(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kMountType = notation::reading(notation::custom(decode_mount_type), kReadsOne<notation::kString>);
inline constexpr Type kMountOptions =
    notation::reading(notation::custom(decode_mount_options), kReadsOne<notation::kString>);

/// struct mount_attr; its size is argument 4.
extern const Type kMountAttr;

}  // namespace strut
