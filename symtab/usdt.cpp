#include "symtab/usdt.hpp"

#include <cstring>
#include <optional>

namespace strut {

namespace {

constexpr uint32_t kType = 3;

/// Takes a word of the file's class.
std::optional<uint64_t> take_word(std::span<const std::byte>& bytes, bool is_64) {
  size_t size = is_64 ? 8 : 4;
  if (bytes.size() < size) return std::nullopt;
  uint64_t word = 0;
  std::memcpy(&word, bytes.data(), size);
  bytes = bytes.subspan(size);
  return word;
}

std::optional<std::string_view> take_string(std::span<const std::byte>& bytes) {
  auto* text = reinterpret_cast<const char*>(bytes.data());
  size_t length = strnlen(text, bytes.size());
  if (length == bytes.size()) return std::nullopt;
  bytes = bytes.subspan(length + 1);
  return std::string_view(text, length);
}

std::optional<UsdtProbe> parse(std::span<const std::byte> content, bool is_64, uint64_t base_now) {
  auto address = take_word(content, is_64), base = take_word(content, is_64), semaphore = take_word(content, is_64);
  if (!address || !base || !semaphore) return std::nullopt;
  auto provider = take_string(content), name = take_string(content), arguments = take_string(content);
  if (!provider || !name || !arguments) return std::nullopt;
  // .stapsdt.base says by how much the file was moved after it was linked.
  uint64_t moved = base_now && *base ? base_now - *base : 0;
  return UsdtProbe{*provider, *name, *arguments, *address + moved, *semaphore ? *semaphore + moved : 0};
}

}  // namespace

std::vector<UsdtProbe> usdt_probes(const ElfFile& file) {
  std::vector<UsdtProbe> probes;
  const Section* base = file.section(".stapsdt.base");
  const Section* section = file.section(".note.stapsdt");
  if (!section) return probes;
  for (const Note& note : file.notes_of(*section)) {
    if (note.owner != "stapsdt" || note.type != kType) continue;
    if (auto probe = parse(note.content, file.is_64(), base ? base->address : 0)) probes.push_back(*probe);
  }
  return probes;
}

}  // namespace strut
