#include "symtab/debug_information.hpp"

#include "symtab/dwarf_constants.hpp"

namespace strut {

std::string_view name_of_function(const Die& function) {
  constexpr int kMostSteps = 8;  // a name is with the entry that a body was made from: a few steps lead there
  std::string_view plain;
  std::optional<Die> die = function;
  for (int step = 0; die && step < kMostSteps; step++) {
    for (uint16_t attribute : {dwarf::kLinkageName, dwarf::kMipsLinkageName})
      if (std::string_view name = die->file->attribute(*die, attribute).text; !name.empty()) return name;
    if (plain.empty()) plain = die->file->attribute(*die, dwarf::kName).text;
    auto origin = die->file->follow(*die, dwarf::kAbstractOrigin);
    die = origin ? origin : die->file->follow(*die, dwarf::kSpecification);
  }
  return plain;
}

const RangeMap& DebugInformation::bodies_of(const UnitOfFile& unit) const {
  auto [slot, is_new] = bodies_.try_emplace(unit.unit);
  RangeMap& bodies = slot->second;
  std::optional<Die> root = is_new ? unit.file->root_of(*unit.unit) : std::nullopt;
  if (!root) return bodies;
  uint64_t budget = unit.file->range_budget();
  unit.file->walk(*root, [&](const Die& die, int) {
    if (die.tag() == dwarf::kSubprogram)
      for (AddressRange range : unit.file->ranges_of(die, budget))
        if (range.low != 0) bodies.add(range.low, range.high, die.offset);  // at 0: left out by the linker
    return Descend::Into;
  });
  bodies.sort();
  return bodies;
}

std::optional<Die> DebugInformation::function_at(uint64_t file_address) const {
  const DwarfUnit* unit = unit_at(file_address);
  std::optional<UnitOfFile> whole = unit ? split_.whole(*unit) : std::nullopt;
  const RangeMap::Range* body = whole ? bodies_of(*whole).find(file_address) : nullptr;
  return body ? whole->file->die_at(*whole->unit, body->id) : std::nullopt;
}

void DebugInformation::read_names() const {
  names_.emplace();
  for (const DwarfUnit& unit : dwarf_.units()) {
    if (unit.type == dwarf::kUnitType) continue;  // has declarations only
    if (auto whole = split_.whole(unit)) read_names(*whole);
  }
}

/// Functions stand below a unit's root, namespaces and classes.
void DebugInformation::read_names(const UnitOfFile& unit) const {
  std::optional<Die> root = unit.file->root_of(*unit.unit);
  if (!root) return;
  auto add = [&](std::string_view name, const Die& die, bool declared) {
    if (name.empty()) return;
    auto [slot, is_new] = names_->try_emplace(name, Place{unit.file, die.offset});
    if (!is_new && !declared) slot->second = {unit.file, die.offset};
  };
  unit.file->walk(*root, [&](const Die& die, int depth) {
    if (die.tag() != dwarf::kSubprogram) {
      bool holds_functions =
          die.tag() == dwarf::kNamespace || die.tag() == dwarf::kStructureType || die.tag() == dwarf::kClassType;
      return depth == 0 || holds_functions ? Descend::Into : Descend::Over;
    }
    bool declared = unit.file->has(die, dwarf::kDeclaration);
    std::string_view linkage = name_of_function(die);
    add(linkage, die, declared);
    if (linkage.starts_with("_Z")) add(unit.file->attribute(die, dwarf::kName).text, die, true);
    return Descend::Over;
  });
}

std::optional<Die> DebugInformation::function_named(std::string_view name) const {
  if (!names_) read_names();
  auto found = names_->find(name);
  if (found == names_->end()) return std::nullopt;
  auto [file, offset] = found->second;
  const DwarfUnit* unit = file->unit_with(offset);
  return unit ? file->die_at(*unit, offset) : std::nullopt;
}

}  // namespace strut
