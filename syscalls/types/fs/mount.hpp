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
extern const ConstantSet kMountFlagSet;
extern const WordLayout kMountMagicWord;
bool has_mount_magic(Decoder& decoder, Addr flags);
inline constexpr Type kPlainMountFlags = notation::named(kMountFlagSet, Width::B8);
inline constexpr Type kMountFlagsWithMagic = notation::word(kMountMagicWord, Width::B8);
inline constexpr Type kMountFlags = notation::kEither<has_mount_magic, kMountFlagsWithMagic, kPlainMountFlags>;
/// The file system's type and options: text only for the operations that look at them.
bool mount_ignores_type(Decoder& decoder, Addr);
bool mount_ignores_options(Decoder& decoder, Addr);
inline constexpr Type kMountType = notation::kEither<mount_ignores_type, notation::kAddress, notation::kStringPointer>;
inline constexpr Type kMountOptions =
    notation::kEither<mount_ignores_options, notation::kAddress, notation::kStringPointer>;
/// struct mount_attr; its size is argument 4.
extern const Type kMountAttr;

}  // namespace strut
