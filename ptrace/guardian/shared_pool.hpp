// Memory that stays readable for another process when its owner is killed.
//
// The pages are shared mappings: the kernel's OOM reaper takes private pages out of a process that it kills, and leaves
// shared ones (mm/oom_kill.c, documented in Documentation/admin-guide/mm/concepts.rst as the OOM killer's reaper).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace strut {

/// Hands out pages. Not safe for use by two threads.
class SharedPool {
 public:
  static constexpr size_t kPageBytes = 4096;

  /// Pages of `first`, a shared mapping of zeros, before others are mapped. It may be empty.
  explicit SharedPool(std::span<std::byte> first = {}) : unused_(first) {}

  /// A page filled with zeros; nullptr: there is no memory.
  void* take();
  /// `page` came from take() of this pool.
  void give_back(void* page);

 private:
  bool grow();

  std::span<std::byte> unused_;  ///< for the mapping that came with it
  std::vector<void*> free_;
};

}  // namespace strut
