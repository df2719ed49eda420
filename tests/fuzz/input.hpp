// Values taken from a fuzzer's bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace strut::fuzz {

/// Takes values from the front of the input; zeros when it is used up.
class Input {
 public:
  Input(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}

  template <typename T>
  T take() {
    T value{};
    size_t count = std::min(sizeof value, size_);
    if (count != 0) std::memcpy(&value, bytes_, count);
    drop(count);
    return value;
  }

  /// At most `most` of the next bytes, where they are.
  std::string_view text(size_t most) {
    std::string_view taken(reinterpret_cast<const char*>(bytes_), std::min(most, size_));
    drop(taken.size());
    return taken;
  }

  std::span<const uint8_t> rest() const { return {bytes_, size_}; }
  bool empty() const { return size_ == 0; }

 private:
  void drop(size_t count) {
    bytes_ += count;
    size_ -= count;
  }

  const uint8_t* bytes_;
  size_t size_;
};

}  // namespace strut::fuzz
