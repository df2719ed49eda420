// The contents of attributes in sock_diag(7) answers about SMC sockets: <linux/smc_diag.h>.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kSmcDiagAttributes;

}  // namespace strut
