// Reads the fuzzer's bytes as debug information that was split off (.dwo, .dwp) and as what it was split off from, in
// one file whose headers are sound. The first bytes say how long each section is.
//
// fuzz: rooms: below-symtab symtab; options: -max_len=8192
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "symtab/dwarf/debug_information.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/sections_file.hpp"

using namespace strut;

namespace {

constexpr std::array<std::string_view, 14> kSections = {
    ".debug_info",         ".debug_abbrev",    ".debug_addr",       ".debug_ranges",  ".debug_str",
    ".debug_info.dwo",     ".debug_types.dwo", ".debug_abbrev.dwo", ".debug_str.dwo", ".debug_str_offsets.dwo",
    ".debug_rnglists.dwo", ".debug_cu_index",  ".debug_tu_index",   ".debug_info.dwo"};
constexpr int kMaxEntries = 2000;

/// The reads of an entry by readers of functions and types.
void look_at(const Die& die, uint64_t& budget) {
  static_cast<void>(name_of_function(die));
  for (unsigned attribute : {DW_AT_type, DW_AT_signature, DW_AT_abstract_origin})
    if (auto other = die.follow(attribute)) static_cast<void>(other->text(DW_AT_name));
  for (AddressRange range : die.ranges(budget)) static_cast<void>(range.contains(0));
}

void walk_all(const Die& root) {
  uint64_t budget = root.file->range_budget();
  int entries = 0;
  root.walk([&](const Die& die, int) {
    look_at(die, budget);
    return ++entries < kMaxEntries ? Descend::Into : Descend::Stop;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  std::array<uint16_t, kSections.size()> lengths{};
  for (uint16_t& length : lengths) length = input.take<uint16_t>();
  std::array<std::string_view, kSections.size()> contents;
  for (size_t i = 0; i < contents.size(); i++) contents[i] = input.text(lengths[i] & 0xfff);
  auto file = ElfFile::over(fuzz::elf_with(kSections, contents), "fuzz"),
       same = ElfFile::over(fuzz::elf_with(kSections, contents), "split");
  if (!file || !same) std::abort();
  std::unique_ptr<DwarfFile> skeletons = DwarfFile::of(*file);
  if (!skeletons) return 0;
  SplitFile split(std::move(*same));
  int units = 0;
  for (const Unit& unit : skeletons->units()) {
    if (unit.type != DW_UT_skeleton || units++ == 64) continue;
    SkeletonBases bases{unit.root.number(DW_AT_low_pc).value_or(0),
                        unit.root.number(DW_AT_GNU_ranges_base).value_or(0)};
    SkeletonParts parts{unit.id, bases, skeletons->section(".debug_addr"), skeletons->section(".debug_ranges")};
    if (std::optional<Die> root = split.unit_of(parts)) walk_all(*root);
  }
  return 0;
}
