// `dtrace -l`.
#pragma once

#include <string>

#include "dtrace/session/enabling.hpp"

namespace strut {

/// -v: with the stability and the arguments of each probe.
enum class ListStyle : uint8_t { Lines, WithDetails };

/// Every probe that is always there.
std::string list_all(const ProbeTable& table, ListStyle style);
/// The probes that a program's descriptions match.
std::string list_found(const ProbeTable& table, Enabling& enabling, ListStyle style);

}  // namespace strut
