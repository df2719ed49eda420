#include "ustack/stack_memory.hpp"

#include <algorithm>
#include <cstring>

namespace strut {

/// Unwind tables and code are as they are in the file: segments that nobody may write to.
const std::byte* StackMemory::in_module(uint64_t at) {
  const Module* module = last_module_;
  if (!module || at < raw(module->start) || at >= raw(module->end)) module = modules_.module_at(Addr{at});
  if (!module || !module->file) return nullptr;
  last_module_ = module;
  const ElfFile& file = module->file->elf();
  uint64_t address = at - module->bias;
  for (const Segment& segment : file.segments()) {
    if (segment.writable || address < segment.address || address - segment.address + sizeof(uint64_t) > segment.file_bytes) continue;
    std::span<const std::byte> bytes = file.at_address(address);
    return bytes.size() >= sizeof(uint64_t) ? bytes.data() : nullptr;
  }
  return nullptr;
}

/// Reads a page from the asked-for byte on at once: stacks are walked upwards.
bool StackMemory::in_pages(uint64_t at, std::byte* to, size_t count) {
  uint64_t start = at / kPageBytes * kPageBytes;
  size_t offset = at - start;
  Page& page = pages_[start];
  if (offset < page.first || offset + count > page.end) {
    size_t got = memory_.read(Addr{at}, std::span(page.bytes).subspan(offset)).bytes;
    page.first = offset;
    page.end = offset + got;
    if (got < count) return false;
  }
  std::memcpy(to, page.bytes.data() + offset, count);
  return true;
}

bool StackMemory::read_word(uint64_t at, uint64_t& word) {
  if (const std::byte* bytes = in_module(at)) {
    std::memcpy(&word, bytes, sizeof(word));
    return true;
  }
  auto* to = reinterpret_cast<std::byte*>(&word);
  size_t here = std::min<uint64_t>(sizeof(word), kPageBytes - at % kPageBytes);
  if (!in_pages(at, to, here)) return false;
  return here == sizeof(word) || in_pages(at + here, to + here, sizeof(word) - here);
}

}  // namespace strut
