// The numbers of <linux/io_uring.h> by name.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kUringSetupFlags;
extern const ConstantSet kUringFeatures;
extern const ConstantSet kUringEnterFlags;
extern const ConstantSet kUringRegisterOps;
extern const ConstantSet kUringRegisterFlags;
extern const ConstantSet kUringOps;          ///< operations of submissions
extern const ConstantSet kUringOpsInHex;
extern const ConstantSet kZcrxFlags;

}  // namespace strut
