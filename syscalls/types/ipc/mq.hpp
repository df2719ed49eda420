// POSIX message queues: mq_overview(7).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const Type kMqAttributes;     ///< struct mq_attr of mq_getsetattr(2)
extern const Type kMqNewAttributes;  ///< for mq_open(2), which ignores flags

}  // namespace strut
