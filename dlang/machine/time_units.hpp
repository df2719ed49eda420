// Units of time as D programs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strut {

/// Nanoseconds in a unit, in lower case: "ns", "nsec", "us" … "d", "day". nullopt: it is none.
std::optional<uint64_t> time_unit_ns(std::string_view name);

}  // namespace strut
