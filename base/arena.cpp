#include "base/arena.hpp"

namespace strut {

namespace {
constexpr size_t kFirstBlockBytes = 4096;
}

void* Arena::allocate(size_t bytes, size_t align) {
  for (;;) {
    if (block_ < blocks_.size()) {
      size_t at = (used_ + align - 1) & ~(align - 1);
      if (at + bytes <= blocks_[block_].size) {
        used_ = at + bytes;
        return blocks_[block_].bytes.get() + at;
      }
      if (block_ + 1 < blocks_.size()) {
        block_++;
        used_ = 0;
        continue;
      }
    }
    size_t size = blocks_.empty() ? kFirstBlockBytes : blocks_.back().size * 2;
    while (size < bytes + align) size *= 2;
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
    block_ = blocks_.size() - 1;
    used_ = 0;
  }
}

void Arena::reset() {
  block_ = 0;
  used_ = 0;
}

}  // namespace strut
