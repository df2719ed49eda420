// The functions that modules use of each other by name: those that a module calls through words that the dynamic linker
// fills in, and those that it exports.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symtab/elf/elf_file.hpp"
#include "symtab/elf/symbol_table.hpp"

namespace strut {

/// A word of a module's memory that holds a function's address once the dynamic linker has been there. Found by
/// relocation, for code that calls through it need not be a PLT's. Views live as long as the file.
struct Import {
  enum class By : uint8_t {
    JumpSlot,   ///< R_X86_64_JUMP_SLOT: of the PLT, lazily or at start
    GlobDat,    ///< R_X86_64_GLOB_DAT: -fno-plt, .plt.got, addresses that are taken
    Word,       ///< R_X86_64_64: in data, a table of functions
    Irelative,  ///< R_X86_64_IRELATIVE: an IFUNC of the module itself
  };
  std::string_view name;     ///< the symbol's; empty for an Irelative without one
  std::string_view version;  ///< that it was linked against; empty: any
  uint64_t slot = 0;         ///< address of the word, as the file has it
  uint64_t resolver = 0;     ///< Irelative: the resolver's address
  By by = By::JumpSlot;
  bool is_canonical = false;  ///< the address is that of the module's own PLT stub, which pointers may hold (no PIE)
};

/// For x86-64 files; symbols that are known to be data are left out, others without a type are not.
std::vector<Import> imports_of(const ElfFile& file);

/// True if a file refers to a symbol of this name that is another's.
bool refers_to(const ElfFile& file, std::string_view name);

/// The functions in a file's .dynsym that others can be bound to.
class Exports {
 public:
  explicit Exports(const ElfFile& file);
  Exports(const Exports&) = delete;  ///< symbols are given out by their address

  std::span<const Symbol> all() const { return symbols_; }
  /// The dynamic linker's choice for a reference of this version (empty: without a version). nullptr: none here.
  const Symbol* find(std::string_view name, std::string_view version) const;

 private:
  std::vector<Symbol> symbols_;
  std::unordered_multimap<std::string_view, const Symbol*> by_name_;
};

}  // namespace strut
