// The entries of `strut symbols`: all names in some modules that match a pattern.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/symbols/options.hpp"
#include "symtab/elf/usdt.hpp"
#include "symtab/process/module.hpp"

namespace strut {

/// A line of the list. Views live as long as the module.
struct ListedName {
  enum class Kind : uint8_t { Symbol, Plt, Got, Usdt } kind = Kind::Symbol;
  const Module* module = nullptr;
  uint64_t address = 0;  ///< in the process, or in the file
  std::string_view name;
  const Symbol* symbol = nullptr;  ///< for a Symbol
  const PltStub* stub = nullptr;   ///< for a Plt
  const GotSlot* slot = nullptr;   ///< for a Got
  UsdtProbe probe;                 ///< for a Usdt
  std::string prototype;           ///< for a function, with --types; empty: unknown
};

/// Reads names of modules and remembers those that the pattern did not match, to suggest some.
class SymbolList {
 public:
  explicit SymbolList(const SymbolsOptions& options);

  /// The module's names that match, by address.
  std::vector<ListedName> of(const Module& module);
  /// Up to three names close to the pattern, for a pattern that matched none.
  std::vector<std::string> close_names() const;

 private:
  bool matches(const Module& module, std::string_view name);
  void add_symbols(const Module& module, std::vector<ListedName>& names);
  void add_stubs(const Module& module, std::vector<ListedName>& names);
  void add_probes(const Module& module, std::vector<ListedName>& names);

  const SymbolsOptions& options_;
  std::string module_pattern_, pattern_;
  std::vector<std::string> others_;
};

}  // namespace strut
