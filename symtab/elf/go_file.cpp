#include "symtab/elf/go_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace strut {

namespace {

constexpr uint32_t kBuildIdNote = 4;
/// .gopclntab is .data.rel.ro.gopclntab in a position-independent program; a linker that is not Go's may keep only the
/// others.
constexpr std::array<std::string_view, 4> kGoSections = {".note.go.buildid", ".go.buildinfo", ".gopclntab",
                                                         ".data.rel.ro.gopclntab"};

}  // namespace

bool has_go_code(const ElfFile& file) {
  if (std::ranges::any_of(kGoSections, [&](std::string_view name) { return file.section(name) != nullptr; }))
    return true;
  return std::ranges::any_of(file.notes(),
                             [](const Note& note) { return note.owner == "Go" && note.type == kBuildIdNote; });
}

}  // namespace strut
