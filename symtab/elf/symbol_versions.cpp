#include "symtab/elf/symbol_versions.hpp"

#include <cstring>

#include <elf.h>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

constexpr uint16_t kHidden = 0x8000;
constexpr int kMaxVersions = kHidden;

}  // namespace

SymbolVersions::SymbolVersions(const ElfFile& file) : file_(file) {
  const Section* indices = file.section(".gnu.version");
  const Section* definitions = file.section(".gnu.version_d");
  if (!indices) return;
  indices_ = file.contents(*indices);
  if (definitions) read_definitions(*definitions);
  if (const Section* needed = file.section(".gnu.version_r")) read_needed(*needed);
}

void SymbolVersions::apply(size_t symbol, Symbol& to) const {
  if (symbol * 2 + 2 > indices_.size()) return;
  uint16_t index;
  std::memcpy(&index, indices_.data() + symbol * 2, sizeof(index));
  to.default_version = (index & kHidden) == 0;
  index &= kHidden - 1;
  if (index >= names_.size() || names_[index].name.empty()) return;
  to.version = names_[index].name;
  to.default_version &= !names_[index].is_needed;
}

void SymbolVersions::name(uint16_t index, Version version) {
  index &= kHidden - 1;
  if (names_.size() <= index) names_.resize(index + size_t{1});
  names_[index] = version;
}

void SymbolVersions::read_definitions(const Section& section) {
  const Section* strings = file_.section(section.link);
  std::span<const std::byte> bytes = file_.contents(section);
  ByteReader reader(bytes);
  for (int left = kMaxVersions; strings && left > 0; left--) {
    size_t here = reader.at();
    auto definition = reader.take<Elf64_Verdef>();  // the same in both classes
    ByteReader name_reader(bytes, here + definition.vd_aux);
    auto text = name_reader.take<Elf64_Verdaux>();
    if (!reader.ok()) return;
    if (name_reader.ok() && !(definition.vd_flags & VER_FLG_BASE))
      name(definition.vd_ndx, {file_.string(*strings, text.vda_name), false});
    if (definition.vd_next == 0) return;
    reader.seek(here + definition.vd_next);
  }
}

/// Versions of other modules: a program has copies of their data.
void SymbolVersions::read_needed(const Section& section) {
  const Section* strings = file_.section(section.link);
  std::span<const std::byte> bytes = file_.contents(section);
  ByteReader files(bytes);
  for (int left = kMaxVersions; strings && left > 0;) {
    size_t here = files.at();
    auto file = files.take<Elf64_Verneed>();
    if (!files.ok()) return;
    ByteReader names(bytes, here + file.vn_aux);
    for (int count = file.vn_cnt; count > 0 && left > 0; count--, left--) {
      size_t at = names.at();
      auto needed = names.take<Elf64_Vernaux>();
      if (!names.ok()) break;
      name(needed.vna_other, {file_.string(*strings, needed.vna_name), true});
      names.seek(at + needed.vna_next);
    }
    if (file.vn_next == 0) return;
    left--;
    files.seek(here + file.vn_next);
  }
}

}  // namespace strut
