// The colours of strace's text (--color, STRACE_COLORS).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace strut {

/// The parts of a line that have colours of their own. Plain ends all colouring.
enum class Ink : uint8_t { Syscall, ArgName, ArgValue, Call, Constant, Comment, Punct, Result, Error, Plain };
inline constexpr size_t kInks = 10;

/// SGR parameters ("1;33") of each part of a line.
struct Palette {
  /// strace 7.2's colours without STRACE_COLORS.
  std::array<std::string, kInks> sgr{"33", "39", "35", "33", "34", "36", "0", "32", "31", "0"};

  const std::string& of(Ink part) const { return sgr[static_cast<size_t>(part)]; }
};

/// The default palette, changed by STRACE_COLORS: "syscall=1;33:error=31". Keys are strace(1)'s; unknown ones are
/// ignored.
Palette parse_palette(std::string_view text);

}  // namespace strut
