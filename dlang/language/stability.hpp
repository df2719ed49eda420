// Stability attributes of names, as D has them (DTrace Guide, "Stability").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strut {

struct DStability {
  /// From the least stable to the most stable.
  enum class Level : uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
  /// From the most dependent to the least.
  enum class Class : uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };
  Level names = Level::Standard;
  Level semantics = Level::Standard;
  Class dependency = Class::Common;
};

/// The words of -v.
std::string_view name_of(DStability::Level level);
std::string_view name_of(DStability::Class dependency);
/// "Stable/Private/Common".
std::string spelling_of(const DStability& stability);
/// Attributes from text, in any case; nullopt: the text has none.
std::optional<DStability> parse_stability(std::string_view text);

/// The lower one of both, attribute by attribute.
DStability least(const DStability& a, const DStability& b);
/// Whether an attribute is lower than that of `least`.
bool is_below(const DStability& stability, const DStability& least);

/// A built-in variable's or a function's.
DStability stability_of(std::string_view name);

}  // namespace strut
