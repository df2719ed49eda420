// The instructions that make the system calls that the tracer watches (watched_calls.hpp), found by their bytes.
//
// Problem: to search a C library takes 4 ms, for each process and each exec. Decision: a part of a file is searched
// once. In other processes that map it the found instructions are compared, so that a process with changed code in
// memory is searched by itself.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "procfs/maps.hpp"

namespace strut {

enum class WatchedCall : uint8_t { Action, Mask, Clone, Clone3 };

/// `mov $NUMBER,%eax; syscall` at an offset in a mapping.
struct CallPlace {
  uint64_t offset = 0;  ///< for the `mov`
  WatchedCall call = WatchedCall::Action;
  bool may_have_prefix = false;  ///< the byte before it may belong to the instruction

  static constexpr std::byte kMove{0xb8};  ///< the first byte
  static constexpr size_t kMoveBytes = 5, kCallBytes = 2;
  bool operator==(const CallPlace&) const = default;
};

/// In the order of calls, and for each of addresses. glibc's own clone calls, which never ask for an untraced child,
/// are left out.
std::vector<CallPlace> find_call_places(std::span<const std::byte> code);

class CallPlaces {
 public:
  /// The places in an executable mapping of a file. The reference is valid until the next call.
  const std::vector<CallPlace>& in(Memory& memory, const Mapping& mapping);

 private:
  struct Part {
    uint32_t device_major, device_minor;
    uint64_t inode, offset, bytes;
    auto operator<=>(const Part&) const = default;
  };
  std::map<Part, std::vector<CallPlace>> known_;
};

}  // namespace strut
