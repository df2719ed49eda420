// The decompressed content of a section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace strut {

/// Memory for the decompressed content of a section. Only written pages take memory.
class Unpacked {
 public:
  enum class Method : uint8_t { Zlib, Zstd };

  /// False: it is malformed, or says a size that its bytes cannot unpack to.
  bool unpack(Method method, std::span<const std::byte> packed, uint64_t size);
  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  size_t size_ = 0;
};

}  // namespace strut
