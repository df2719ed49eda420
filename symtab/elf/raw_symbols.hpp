// The entries of one symbol table section, as the file has them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <elf.h>

#include "symtab/elf/symbol_table.hpp"
#include "symtab/elf/symbol_versions.hpp"

namespace strut {

/// A symbol of either class, widened.
struct RawSymbol {
  uint32_t name;
  uint8_t info;
  uint16_t section;
  uint64_t value;
  uint64_t size;

  /// A name for a place in the module's memory: not undefined, absolute or thread-local, no section and no file.
  bool has_address() const;
};

/// In .symtab a linker writes the version behind the name (name@@version, name@version): makes them two.
void split_version(Symbol& symbol);

/// A section by name (".symtab", ".dynsym"); without entries if the file has none. The file must outlive it.
class RawSymbols {
 public:
  RawSymbols(const ElfFile& file, std::string_view section);

  size_t size() const { return bytes_.size() / stride_; }
  RawSymbol at(size_t i) const;
  /// Shows all to `visit(index, RawSymbol)`.
  template <typename Visit>
  void each(Visit visit) const {
    for (size_t i = 0; i < size(); i++) visit(i, at(i));
  }
  /// With name and version. nullopt: undefined, without a name, or nothing that has an address (sections, files).
  std::optional<Symbol> symbol(size_t i, const RawSymbol& raw) const;

 private:
  const ElfFile& file_;
  size_t stride_;
  std::span<const std::byte> bytes_;
  std::span<const std::byte> strings_;
  mutable std::optional<SymbolVersions> versions_;  ///< for .dynsym, read for its first symbol
  bool versioned_ = false;
};

}  // namespace strut
