// The formats of `strut symbols`: a line of text or a JSON object for each entry.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cli/symbols/list.hpp"

namespace strut {

/// The symbol at a requested address.
struct ResolvedAddress {
  uint64_t asked = 0;
  Location location;
  std::optional<SourceLine> line;
  std::vector<InlinedCall> inlined;
  std::optional<FunctionBounds::Bounds> bounds;  ///< where there is no symbol
};

class SymbolsReport {
 public:
  virtual ~SymbolsReport() = default;
  virtual void name(const ListedName& listed) = 0;
  virtual void address(const ResolvedAddress& resolved) = 0;
  /// Returns the text written so far, and clears it.
  virtual std::string_view text() const = 0;
  virtual void clear() = 0;
};

/// `with_modules`: a process has several modules, and entries name theirs.
enum class ModuleNames : uint8_t { Left, Shown };
std::unique_ptr<SymbolsReport> make_symbols_text(NameForm names, ModuleNames modules);
std::unique_ptr<SymbolsReport> make_symbols_json(NameForm names);

}  // namespace strut
