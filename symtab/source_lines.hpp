// Where in its sources a module's code comes from: file and line, and the functions that were inlined there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "symtab/dwarf.hpp"
#include "symtab/line_table.hpp"
#include "symtab/range_map.hpp"
#include "symtab/source_line.hpp"

namespace strut {

/// A function whose body stands in another's.
struct InlinedCall {
  std::string_view function;  ///< its linkage name, where it has one; empty: not said
  SourceLine called_from;
};

/// The lines of one module, from the file that has its DWARF: itself, or its debug file. Reads an index of units first,
/// and of a unit what is asked for. Views live as long as it does. Not for use by several threads at once.
class SourceLines {
 public:
  SourceLines();  ///< nothing is known
  /// The files must outlive it. `supplementary`: that .gnu_debugaltlink names; may be nullptr.
  SourceLines(const ElfFile& file, const ElfFile* supplementary);
  SourceLines(SourceLines&&) noexcept;
  SourceLines& operator=(SourceLines&&) noexcept;
  ~SourceLines();

  /// The line of the instruction at (or around) an address of the file. nullopt: not known.
  std::optional<SourceLine> at(uint64_t file_address) const;
  /// The calls that were inlined around an address, the innermost first; at() is a line of the first one's function.
  std::vector<InlinedCall> inlined_at(uint64_t file_address) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace strut
