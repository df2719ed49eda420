// The DWARF of one module, with what finds a function's entry by address or name. Shared by everything that asks it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "symtab/dwarf.hpp"
#include "symtab/range_map.hpp"
#include "symtab/split_units.hpp"
#include "symtab/unit_index.hpp"

namespace strut {

class DebugInformation {
 public:
  /// The files must outlive it. `supplementary`: that .gnu_debugaltlink names; may be nullptr.
  DebugInformation(const ElfFile& file, const ElfFile* supplementary, SplitPlaces places = {})
      : supplementary_(supplementary ? std::make_unique<Dwarf>(*supplementary) : nullptr),
        dwarf_(file, supplementary_.get()),
        split_(dwarf_, std::move(places)),
        units_(dwarf_) {}

  const Dwarf& dwarf() const { return dwarf_; }
  /// Of dwarf(): what has the line table; its entries may have been split off.
  const DwarfUnit* unit_at(uint64_t file_address) const { return units_.at(file_address); }
  /// The entry (DW_TAG_subprogram) of the function whose code contains an address. nullopt: none.
  std::optional<Die> function_at(uint64_t file_address) const;
  /// The entry of a function by its name or linkage name, one with a body rather than a declaration. The first call
  /// reads the names of all units. nullopt: none.
  std::optional<Die> function_named(std::string_view name) const;
  /// Files of split debug information that were looked for in vain so far.
  const std::vector<std::string>& missing_files() const { return split_.missing(); }

 private:
  struct Place {
    const Dwarf* file;
    uint64_t offset;
  };
  const RangeMap& bodies_of(const UnitOfFile& unit) const;
  void read_names() const;
  void read_names(const UnitOfFile& unit) const;

  std::unique_ptr<Dwarf> supplementary_;
  Dwarf dwarf_;
  SplitUnits split_;
  UnitIndex units_;
  mutable std::map<const DwarfUnit*, RangeMap> bodies_;  ///< to entries' offsets
  mutable std::optional<std::unordered_map<std::string_view, Place>> names_;
};

/// What an inlined, outlined or declared function is called: its linkage name, where it has one; empty: not said.
std::string_view name_of_function(const Die& function);

}  // namespace strut
