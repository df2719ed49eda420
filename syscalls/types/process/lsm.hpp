// Linux security modules' calls: <linux/lsm.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kLsmAttributes;
extern const ConstantSet kLsmFlags;

/// struct lsm_ctx that lsm_set_self_attr passes; argument 2 says how long it is.
extern const Type kLsmContext;
/// The attributes that lsm_get_self_attr stores, with their size at argument 2. With LSM_FLAG_SINGLE (argument 3) the
/// first has, before the call, the requested module.
extern const Type kLsmContexts;
/// The ids that lsm_list_modules stores: as many as its result says.
extern const Type kLsmIds;

}  // namespace strut
