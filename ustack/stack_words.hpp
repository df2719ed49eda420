// Words of a stack, page by page: one walk reads the same ones again and again.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/memory.hpp"
#include "ustack/frame_evaluation.hpp"

namespace strut {

/// For one walk over one stack.
class StackWords final : public WordSource {
 public:
  explicit StackWords(Memory& memory) : memory_(memory) {}

  bool read_word(uint64_t at, uint64_t bytes, uint64_t& word) override {
    word = 0;
    uint64_t start = at / kPageBytes * kPageBytes;
    if (at - start > kPageBytes - bytes)
      return memory_.read(Addr{at}, std::as_writable_bytes(std::span(&word, 1)).first(bytes)).bytes == bytes;
    Page& page = page_at(start);
    size_t offset = at - start;
    if (offset < page.first || offset + bytes > page.end) {
      // From the asked-for byte on: stacks are walked upwards.
      page.first = offset;
      page.end = offset + memory_.read(Addr{at}, std::span(page.bytes).subspan(offset)).bytes;
      if (page.end < offset + bytes) return false;
    }
    std::memcpy(&word, page.bytes.data() + offset, bytes);
    return true;
  }

 private:
  static constexpr uint64_t kPageBytes = 4096;
  struct Page {
    uint64_t start = 1;         ///< no page begins there
    size_t first = 0, end = 0;  ///< which bytes were read
    std::array<std::byte, kPageBytes> bytes;
  };
  Page& page_at(uint64_t start) {
    Page& page = pages_[start / kPageBytes % pages_.size()];
    if (page.start != start) {
      page.start = start;
      page.first = page.end = 0;
    }
    return page;
  }

  Memory& memory_;
  std::array<Page, 2> pages_;
};

}  // namespace strut
