#include "symtab/elf/usdt.hpp"

#include <optional>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

constexpr uint32_t kType = 3;

std::optional<UsdtProbe> parse(std::span<const std::byte> content, bool is_64, uint64_t base_now) {
  ByteReader reader(content);
  auto word = [&] { return reader.take_number(is_64 ? 8 : 4); };
  uint64_t address = word(), base = word(), semaphore = word();
  std::string_view provider = reader.take_string(), name = reader.take_string(), arguments = reader.take_string();
  if (!reader.ok()) return std::nullopt;
  // .stapsdt.base says by how much the file was moved after it was linked.
  uint64_t moved = base_now && base ? base_now - base : 0;
  return UsdtProbe{provider, name, arguments, address + moved, semaphore ? semaphore + moved : 0};
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
