// Symbols of one module: address to name and back.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

enum class SymbolType : uint8_t { None, Function, Ifunc, Object, Tls };
enum class Binding : uint8_t { Local, Global, Weak, Unique };

/// A defined symbol of .symtab or .dynsym (elf(5)). Views live as long as the ElfFile it came from.
struct Symbol {
  std::string_view name;        ///< mangled, without a version
  std::string_view version;     ///< "GLIBC_2.34"; empty: none. Of .dynsym only
  bool default_version = true;  ///< name@@version: the linker's default; false: name@version
  uint64_t address = 0;         ///< as the file has it; a process adds the load bias
  uint64_t bytes = 0;           ///< 0: not said
  SymbolType type = SymbolType::None;
  Binding binding = Binding::Local;
};

/// strut's name for it: "function", "ifunc", "object", "thread-local", "label".
std::string_view type_name(SymbolType type);

/// Where an address lies.
struct SymbolAt {
  const Symbol* symbol;
  uint64_t offset;  ///< bytes from its beginning
};

struct RawSymbol;
class RawSymbols;

/// Reads symbols when they are asked for: the first few addresses are looked for in the file's own bytes, without a
/// name being read but the one that is found; then everything is read and sorted. Not for use by several threads at
/// once.
class SymbolTable {
 public:
  SymbolTable() = default;
  SymbolTable(const SymbolTable&) = delete;  ///< symbols are given out by their address
  SymbolTable& operator=(const SymbolTable&) = delete;

  /// Adds the defined functions and objects of a file: those of .dynsym, then those of .symtab. Another file of the
  /// same module (separate debug information, .gnu_debugdata) may be added behind it. The files must outlive this.
  void add(const ElfFile& file);
  /// Adds those of .symtab, or of .dynsym if it has none, with names as they stand there: in .symtab a version is part
  /// of the name. False: there are none.
  bool add_fullest(const ElfFile& file);

  /// The function (or, where none is, the object) that contains an address. Of several names the one that is not local,
  /// then the one with fewer leading underscores. Symbols without a size reach to the next one.
  std::optional<SymbolAt> at(uint64_t address) const;
  /// The closest function that contains an address, and of several that begin together the first of the file: as
  /// libunwind and strace(1) -k show it.
  std::optional<SymbolAt> function_at(uint64_t address) const;

  std::span<const Symbol> all() const;
  /// Every symbol of this name, dynamic versions included.
  std::vector<const Symbol*> named(std::string_view name) const;

 private:
  void index() const;
  std::optional<SymbolAt> scan(uint64_t address) const;
  const Symbol* best_of(size_t first, size_t end, uint64_t address) const;

  enum class Names : uint8_t { Plain, AsWritten };
  struct Source {
    const ElfFile* file;
    const char* table;
    Names names;
  };
  void add(const Source& source);
  template <typename Visit>
  void each_raw(Visit visit) const;
  void index_functions() const;

  std::vector<Source> sources_;
  mutable int scans_ = 0;
  mutable std::deque<Symbol> scanned_;  ///< the results of scans
  mutable std::optional<std::vector<Symbol>> symbols_;
  /// Indices of symbols_, by address, better names first among equals; built by index().
  mutable std::vector<uint32_t> order_;
  mutable std::vector<uint64_t> furthest_;   ///< by position in order_: how far any symbol up to it reaches
  mutable std::vector<uint32_t> functions_;  ///< by address, then in the order of the file; built by function_at()
  mutable std::vector<uint64_t> functions_reach_;  ///< by position in functions_: how far any function up to it reaches
  mutable std::vector<uint32_t> by_name_;          ///< built when a name is first asked for
};

/// True if `a` is the better of two names for one address.
bool is_better_name(const Symbol& a, const Symbol& b);

}  // namespace strut
