// The numbers of <linux/io_uring.h> by name.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kUringSetupFlags;
extern const ConstantSet kUringFeatures;
extern const ConstantSet kUringEnterFlags;
extern const ConstantSet kUringRegisterOps;
extern const ConstantSet kUringRegisterFlags;
extern const ConstantSet kUringOps;          ///< what a submission asks for
extern const ConstantSet kUringOpsInHex;
extern const ConstantSet kZcrxFlags;

}  // namespace strut
