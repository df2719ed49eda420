// Which parts of the kernel assist work on this machine, and why the others do not.
#pragma once

#include <optional>
#include <vector>

#include "base/finding.hpp"
#include "base/result.hpp"

namespace strut {

/// The reason why kassist cannot be used here, as far as a few looks at the system show it (microseconds, nothing is
/// loaded): privileges, lockdown, the kernel's age and its type information, strut's pid namespace. nullopt: these
/// looks find none.
std::optional<Error> kassist_obstacle();

/// Feature by feature; loads the programs once.
std::vector<Finding> check_kassist();

/// A kernel's release, "6.18.2-cloud": its first two numbers. {0, 0}: not understood.
struct Release {
  int major = 0;
  int minor = 0;
  auto operator<=>(const Release&) const = default;
};
Release parse_release(const char* text);
/// Whether programs can ask which mapping an address is in (Linux 5.17).
bool finds_areas();

}  // namespace strut
