// Attributes of inodes that go beyond stat: file_getattr(2), FS_IOC_FSGETXATTR, FS_IOC_GETFLAGS of <linux/fs.h>.
#pragma once

#include "syscalls/type.hpp"

namespace strut {

extern const ConstantSet kExtraFlags;  ///< FS_XFLAG_…
extern const Type kFileAttrGot;        ///< struct file_attr; its size is argument 3
extern const Type kFileAttrSet;        ///< without the members that cannot be set

}  // namespace strut
