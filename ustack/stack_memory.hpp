// The memory an unwinder reads: modules' own bytes from their files, everything else from the thread, page by page.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "core/memory.hpp"
#include "symtab/process_modules.hpp"

namespace strut {

/// For one walk over one stack: what was read once is not read again.
class StackMemory {
 public:
  StackMemory(Memory& memory, const ProcessModules& modules) : memory_(memory), modules_(modules) {}

  /// The word at an address; false: it cannot be read.
  bool read_word(uint64_t at, uint64_t& word);

 private:
  static constexpr uint64_t kPageBytes = 4096;
  struct Page {
    std::array<std::byte, kPageBytes> bytes;
    size_t first = 0, end = 0;  ///< which of them were read
  };
  const std::byte* in_module(uint64_t at);
  bool in_pages(uint64_t at, std::byte* to, size_t count);

  Memory& memory_;
  const ProcessModules& modules_;
  std::unordered_map<uint64_t, Page> pages_;
  const Module* last_module_ = nullptr;
};

}  // namespace strut
