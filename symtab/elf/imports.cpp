#include "symtab/elf/imports.hpp"

#include <optional>

#include <elf.h>

#include "symtab/elf/raw_symbols.hpp"
#include "symtab/elf/relocations.hpp"

namespace strut {

namespace {

std::optional<Import::By> kind_of(const Relocation& relocation) {
  switch (relocation.type) {
    case R_X86_64_JUMP_SLOT: return Import::By::JumpSlot;
    case R_X86_64_GLOB_DAT: return Import::By::GlobDat;
    case R_X86_64_64: return relocation.addend == 0 ? std::optional(Import::By::Word) : std::nullopt;
    case R_X86_64_IRELATIVE: return Import::By::Irelative;
    default: return std::nullopt;
  }
}

bool may_be_function(uint8_t type) { return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE; }

}  // namespace

std::vector<Import> imports_of(const ElfFile& file) {
  std::vector<Import> imports;
  if (file.machine() != EM_X86_64) return imports;
  SymbolVersions versions(file);
  RawSymbols symbols(file, ".dynsym");
  for (const Relocation& relocation : relocations_of(file)) {
    auto by = kind_of(relocation);
    if (!by) continue;
    Import import{relocation.name, {}, relocation.at, 0, *by, false};
    if (*by == Import::By::Irelative) {
      import.resolver = static_cast<uint64_t>(relocation.addend);
    } else {
      if (relocation.name.empty() || !may_be_function(relocation.symbol_type)) continue;
      Symbol wanted;
      versions.apply(relocation.symbol, wanted);
      import.version = wanted.version;
      if (relocation.symbol < symbols.size()) {
        RawSymbol raw = symbols.at(relocation.symbol);
        import.is_canonical = raw.section == SHN_UNDEF && raw.value != 0;
      }
    }
    imports.push_back(import);
  }
  return imports;
}

bool refers_to(const ElfFile& file, std::string_view name) {
  const Section* table = file.section(".dynsym");
  const Section* strings = table ? file.section(table->link) : nullptr;
  if (!strings) return false;
  RawSymbols symbols(file, ".dynsym");
  for (size_t i = 0; i < symbols.size(); i++) {
    RawSymbol symbol = symbols.at(i);
    if (symbol.section == SHN_UNDEF && file.string(*strings, symbol.name) == name) return true;
  }
  return false;
}

Exports::Exports(const ElfFile& file) {
  RawSymbols raw(file, ".dynsym");
  symbols_.reserve(raw.size());
  for (size_t i = 0; i < raw.size(); i++) {
    auto symbol = raw.symbol(i, raw.at(i));
    if (!symbol || symbol->binding == Binding::Local) continue;
    if (symbol->type == SymbolType::Function || symbol->type == SymbolType::Ifunc) symbols_.push_back(*symbol);
  }
  by_name_.reserve(symbols_.size());
  for (const Symbol& symbol : symbols_) by_name_.emplace(symbol.name, &symbol);
}

// ld.so(8) takes the version that was asked for; without one, or from a library without versions, the default one.
const Symbol* Exports::find(std::string_view name, std::string_view version) const {
  auto [first, last] = by_name_.equal_range(name);
  const Symbol* found = nullptr;
  for (auto at = first; at != last; ++at) {
    const Symbol* symbol = at->second;
    if (!version.empty() && symbol->version == version) return symbol;
    bool fits = version.empty() || symbol->version.empty();
    if (fits && (!found || symbol->default_version)) found = symbol;
  }
  return found;
}

}  // namespace strut
