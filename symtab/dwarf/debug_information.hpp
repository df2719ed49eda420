// The DWARF of one module, with searches for a function's entry by address or name. Shared by SourceLines and
// Prototypes. Private to symtab.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "symtab/dwarf/die.hpp"
#include "symtab/dwarf/split_search.hpp"
#include "symtab/dwarf/unit_ranges.hpp"
#include "symtab/elf/range_map.hpp"

namespace strut {

class DebugInformation {
 public:
  /// nullptr: the file has none that can be read. The files must outlive it. `supplementary`: that .gnu_debugaltlink
  /// names; may be nullptr.
  static std::shared_ptr<const DebugInformation> of(const ElfFile& file, const ElfFile* supplementary,
                                                    SplitPlaces places = {});

  /// The root of the unit with the line table of an address; its entries may have been split off.
  std::optional<Die> unit_at(uint64_t file_address) const { return units_.at(file_address); }
  /// The roots of all units with code.
  std::vector<Die> roots() const;
  /// The unit itself, or the split one that has its entries; nullopt: that one is not found.
  std::optional<Die> whole(const Die& root) const { return split_.whole(root); }
  /// Whether libdw may read the line table of a unit (line_program_check.hpp).
  bool has_readable_lines(const Die& root) const;
  /// The first unit for which that was false, and why: a line for the user. Empty: none so far.
  std::string_view unread_lines() const { return unread_lines_; }
  /// The entry (DW_TAG_subprogram) of the function with an address in its code. nullopt: none.
  std::optional<Die> function_at(uint64_t file_address) const;
  /// Where the code behind a function's prologue begins, for an instruction of the function: of a place that the
  /// compiler's line table marks, or the function's second row (gdb's manual, "Set Breaks"). nullopt: it is not known.
  std::optional<uint64_t> body_begin(const Die& function, uint64_t file_address) const;
  /// The entry of a function by its name or linkage name, one with a body rather than a declaration. The first call
  /// reads the names of all units. nullopt: none.
  std::optional<Die> function_named(std::string_view name) const;
  /// Files of split debug information that were looked for in vain so far.
  const std::vector<std::string>& missing_files() const { return split_.missing(); }

 private:
  DebugInformation(std::unique_ptr<DwarfFile> file, std::unique_ptr<DwarfFile> supplementary, SplitPlaces places);
  const RangeMap& bodies_of(const Die& root) const;
  void read_names() const;
  void read_names(const Die& root) const;

  std::unique_ptr<DwarfFile> supplementary_, file_;
  SplitSearch split_;
  UnitRanges units_;
  mutable std::map<void*, RangeMap> bodies_;  ///< by the entry of a unit's root; to entries' addresses in memory
  mutable std::map<void*, bool> readable_;    ///< by the entry of a unit's root
  mutable std::string unread_lines_;
  mutable std::optional<std::unordered_map<std::string_view, Die>> names_;
};

/// The name of an inlined, outlined or declared function: its linkage name, where it has one; empty: unknown.
std::string_view name_of_function(const Die& function);

}  // namespace strut
