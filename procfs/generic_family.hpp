// The names of generic netlink families, whose numbers the kernel gives out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace strut {

/// As the kernel tells it (CTRL_CMD_GETFAMILY of <linux/genetlink.h>); nullopt: there is no such family.
std::optional<std::string> find_generic_family(uint16_t number);

}  // namespace strut
