// The names of generic netlink families; the kernel assigns their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace strut {

/// The kernel's answer (CTRL_CMD_GETFAMILY of <linux/genetlink.h>); nullopt: there is no such family.
std::optional<std::string> find_generic_family(uint16_t number);

}  // namespace strut
