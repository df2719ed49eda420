// Reads the fuzzer's bytes as debug information that was split off (.dwo, .dwp) and as what it was split off from, in
// one file whose headers are sound. The first bytes say how long each section is.
// clang-format off: one line
// fuzz: rooms: core/result.cpp core/clock.cpp core/proc/maps.cpp core/proc/proc_file.cpp core/proc/process_status.cpp core/proc/remote_memory.cpp symtab; options: -max_len=8192
// clang-format on
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "symtab/debug_information.hpp"
#include "symtab/dwarf_constants.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/sections_file.hpp"

using namespace strut;

namespace {

constexpr std::array<std::string_view, 14> kSections = {
    ".debug_info",         ".debug_abbrev",    ".debug_addr",       ".debug_ranges",  ".debug_str",
    ".debug_info.dwo",     ".debug_types.dwo", ".debug_abbrev.dwo", ".debug_str.dwo", ".debug_str_offsets.dwo",
    ".debug_rnglists.dwo", ".debug_cu_index",  ".debug_tu_index",   ".debug_info.dwo"};
constexpr int kMostEntries = 2000;

/// What readers of functions and types ask of an entry.
void look_at(const Die& die, uint64_t& budget) {
  static_cast<void>(name_of_function(die));
  for (uint16_t attribute : {dwarf::kType, dwarf::kSignature, dwarf::kAbstractOrigin})
    if (auto other = die.file->follow(die, attribute)) static_cast<void>(other->file->attribute(*other, dwarf::kName));
  for (AddressRange range : die.file->ranges_of(die, budget)) static_cast<void>(range.contains(0));
}

void walk_all(const Dwarf& split, const DwarfUnit& unit) {
  std::optional<Die> root = split.root_of(unit);
  if (!root) return;
  uint64_t budget = split.range_budget();
  int entries = 0;
  split.walk(*root, [&](const Die& die, int) {
    look_at(die, budget);
    return ++entries < kMostEntries ? Descend::Into : Descend::Stop;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  std::array<uint16_t, kSections.size()> lengths{};
  for (uint16_t& length : lengths) length = input.take<uint16_t>();
  std::array<std::string_view, kSections.size()> contents;
  for (size_t i = 0; i < contents.size(); i++) contents[i] = input.text(lengths[i] & 0xfff);
  auto file = ElfFile::over(fuzz::elf_with(kSections, contents), "fuzz");
  if (!file) std::abort();
  Dwarf skeletons(*file), split(*file, Dwarf::SplitFrom{skeletons});
  for (const DwarfUnit& unit : skeletons.units()) {
    uint64_t id = skeletons.split_id(unit);
    const DwarfUnit* whole = id ? split.unit_of(unit, id) : nullptr;
    if (whole && whole->end < whole->root) std::abort();
  }
  int units = 0;
  for (const DwarfUnit& unit : split.units())
    if (units++ < 64) walk_all(split, unit);
  return 0;
}
