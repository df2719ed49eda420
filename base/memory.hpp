// Read access to a target's memory, wherever the bytes come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.hpp"

namespace strut {

/// How a read of target memory went. `bytes` leading bytes were copied. If that is fewer than asked for,
/// `unseen` says whether the rest exists but was never seen (a capture that missed) or is not mapped at all.
struct ReadOutcome {
  size_t bytes = 0;
  bool unseen = false;
};

/// A target's memory as the decoder sees it: live (ptrace), captured (one kassist record), scripted (tests)
/// or recorded. Implementations copy as much of the leading part as they can and never throw.
class Memory {
 public:
  virtual ~Memory() = default;

  /// Copies up to out.size() bytes from `at`.
  virtual ReadOutcome read(Addr at, std::span<std::byte> out) = 0;

  /// Copies up to and including the first NUL, at most out.size() bytes. `bytes` counts the copied bytes, the NUL
  /// included if it was reached. May touch bytes after the NUL, never the page after it.
  virtual ReadOutcome read_string(Addr at, std::span<char> out) = 0;
};

}  // namespace strut
