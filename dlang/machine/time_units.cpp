#include "dlang/machine/time_units.hpp"

namespace strut {
namespace {

constexpr uint64_t kSecond_ns = 1'000'000'000;

struct Unit {
  std::string_view name, long_name;
  uint64_t ns;
};
constexpr Unit kUnits[] = {
    {"ns", "nsec", 1},
    {"us", "usec", 1'000},
    {"ms", "msec", 1'000'000},
    {"s", "sec", kSecond_ns},
    {"m", "min", 60 * kSecond_ns},
    {"h", "hour", 3600 * kSecond_ns},
    {"d", "day", 86400 * kSecond_ns},
};

}  // namespace

std::optional<uint64_t> time_unit_ns(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (name == unit.name || name == unit.long_name) return unit.ns;
  return std::nullopt;
}

}  // namespace strut
