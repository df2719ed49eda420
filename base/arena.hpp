// Bump allocation for the values of one system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace strut {

/// Hands out memory that lives until reset(). Nothing is destroyed, so only trivially destructible
/// types go in. reset() keeps the blocks: a warm arena allocates nothing.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  /// `bytes` of uninitialised memory aligned to `align` (a power of two, at most 16).
  void* allocate(size_t bytes, size_t align = 16);

  /// Value-initialised array of `count` T.
  template <typename T>
  std::span<T> array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* first = static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
    for (size_t i = 0; i < count; i++) new (first + i) T{};
    return {first, count};
  }

  template <typename T>
  const T* make(T value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T(value);
  }

  std::string_view copy(std::string_view text) {
    char* to = static_cast<char*>(allocate(text.size(), 1));
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  template <typename T>
  std::span<const T> copy(std::span<const T> items) {
    std::span<T> to = array<T>(items.size());
    for (size_t i = 0; i < items.size(); i++) to[i] = items[i];
    return to;
  }

  /// Forgets everything handed out.
  void reset();

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0;  ///< index of the block in use
  size_t used_ = 0;   ///< bytes used of it
};

}  // namespace strut
