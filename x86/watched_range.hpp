// Memory that a debug register watches (Intel SDM, volume 3, 18.2): a thread has four of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strut {

/// The processor traps behind an instruction that has written or read, and in front of one that is to be executed.
enum class WatchAccess : uint8_t {
  Write,
  Read,  ///< no register does that alone: a trap of ReadWrite where the value is what it was
  ReadWrite,
  Execute,
};

struct WatchedRange {
  uint64_t address = 0;  ///< in the process
  uint8_t bytes = 0;     ///< 1, 2, 4 or 8, and the address is a multiple of it; Execute: 1
  WatchAccess access = WatchAccess::Write;
  bool operator==(const WatchedRange&) const = default;
};

inline constexpr size_t kDebugRegisters = 4;

/// Whether a register can watch so many bytes.
bool is_watchable_size(uint64_t bytes);
/// Why no register can watch a range in user memory: its length, its alignment, an address of the kernel's. Empty: one
/// can.
std::string why_unwatchable(uint64_t address, uint64_t bytes);

/// "w", "r", "rw", "x".
std::string_view name_of(WatchAccess access);

}  // namespace strut
