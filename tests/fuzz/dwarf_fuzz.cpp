// Reads the fuzzer's bytes as sections of debug information and of frame descriptions, in a file whose headers are
// sound: the elf fuzzer seldom gets that far. The first bytes say how long each section is.
//
// fuzz: rooms: below-symtab symtab; options: -max_len=8192
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "symtab/dwarf/debug_information.hpp"
#include "symtab/dwarf/prototypes.hpp"
#include "symtab/dwarf/source_lines.hpp"
#include "symtab/elf/function_bounds.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/sections_file.hpp"

using namespace strut;

namespace {

constexpr std::array<std::string_view, 12> kSections = {
    ".debug_info", ".debug_abbrev", ".debug_line",     ".debug_str",     ".debug_line_str", ".debug_str_offsets",
    ".debug_addr", ".debug_ranges", ".debug_rnglists", ".debug_aranges", ".eh_frame",       ".debug_types"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  std::array<uint16_t, 4> addresses{};
  for (uint16_t& address : addresses) address = input.take<uint16_t>();
  std::array<uint16_t, kSections.size()> lengths{};
  for (uint16_t& length : lengths) length = input.take<uint16_t>();
  std::array<std::string_view, kSections.size()> contents;
  for (size_t i = 0; i < contents.size(); i++) contents[i] = input.text(lengths[i] & 0xfff);
  auto file = ElfFile::over(fuzz::elf_with(kSections, contents), "fuzz");
  if (!file || file->sections().empty()) std::abort();
  std::shared_ptr<const DebugInformation> debug = DebugInformation::of(*file, nullptr);
  SourceLines lines(debug);
  FunctionBounds bounds(*file);
  Prototypes prototypes(debug);
  for (uint16_t address : addresses) {
    static_cast<void>(lines.at(address));
    static_cast<void>(lines.inlined_at(address));
    if (auto prototype = prototypes.at(address)) static_cast<void>(prototypes.text(*prototype));
    if (auto found = bounds.at(address); found && (address < found->begin || address >= found->end)) std::abort();
  }
  if (auto prototype = prototypes.named("f")) static_cast<void>(prototypes.text(*prototype));
  return 0;
}
