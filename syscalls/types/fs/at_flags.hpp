// AT_… flags of the calls that take a directory descriptor. Every call knows its own few: <linux/fcntl.h>, man pages.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kAtFlags;            ///< fstatat, linkat, unlinkat, fchownat, utimensat
extern const ConstantSet kAtStatxFlags;       ///< statx, without those that say how to synchronise
extern const ConstantSet kAtAccessFlags;      ///< faccessat2
extern const ConstantSet kAtLookupFlags;      ///< fchmodat2, *xattrat, file_getattr, file_setattr
extern const ConstantSet kAtMountFlags;       ///< mount_setattr
extern const ConstantSet kAtHandleFlags;      ///< name_to_handle_at
extern const ConstantSet kAccessModes;        ///< R_OK, W_OK, X_OK; F_OK is none of them

}  // namespace strut
