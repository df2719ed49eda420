// `dtrace -l`.
#pragma once

#include <string>

#include "dtrace/session/enabling.hpp"

namespace strut {

enum class ListStyle : uint8_t { Lines, WithArguments };

/// Every probe that is always there.
std::string list_all(const ProbeTable& table, ListStyle style);
/// The probes that a program's descriptions match.
std::string list_found(const ProbeTable& table, Enabling& enabling, ListStyle style);

}  // namespace strut
