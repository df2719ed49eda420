// Versions of dynamic symbols: GLIBC_2.34 of pthread_create@@GLIBC_2.34.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"
#include "symtab/elf/symbol_table.hpp"

namespace strut {

/// .gnu.version holds an index for each symbol of .dynsym; .gnu.version_d and _r name the indices (Linux Standard Base,
/// "Symbol Versioning"). The file must outlive it.
class SymbolVersions {
 public:
  explicit SymbolVersions(const ElfFile& file);

  /// Sets the version of the symbol that is number `symbol` of .dynsym.
  void apply(size_t symbol, Symbol& to) const;

 private:
  struct Version {
    std::string_view name;
    bool is_needed = false;  ///< for another module: never the default one here
  };
  void name(uint16_t index, Version version);
  void read_definitions(const Section& section);
  void read_needed(const Section& section);

  const ElfFile& file_;
  std::span<const std::byte> indices_;
  std::vector<Version> names_;
};

}  // namespace strut
