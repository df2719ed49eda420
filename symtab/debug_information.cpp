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

const RangeMap& DebugInformation::bodies_of(const DwarfUnit& unit) const {
  auto [slot, is_new] = bodies_.try_emplace(unit.offset);
  RangeMap& bodies = slot->second;
  std::optional<Die> root = is_new ? dwarf_.root_of(unit) : std::nullopt;
  if (!root) return bodies;
  uint64_t budget = dwarf_.range_budget();
  dwarf_.walk(*root, [&](const Die& die, int) {
    if (die.tag() == dwarf::kSubprogram)
      for (AddressRange range : dwarf_.ranges_of(die, budget))
        if (range.low != 0) bodies.add(range.low, range.high, die.offset);  // at 0: left out by the linker
    return Descend::Into;
  });
  bodies.sort();
  return bodies;
}

std::optional<Die> DebugInformation::function_at(uint64_t file_address) const {
  const DwarfUnit* unit = unit_at(file_address);
  const RangeMap::Range* body = unit ? bodies_of(*unit).find(file_address) : nullptr;
  return body ? dwarf_.die_at(*unit, body->id) : std::nullopt;
}

/// Functions stand below a unit's root, namespaces and classes.
void DebugInformation::read_names() const {
  names_.emplace();
  auto add = [&](std::string_view name, const Die& die, bool declared) {
    if (name.empty()) return;
    auto [slot, is_new] = names_->try_emplace(name, die.offset);
    if (!is_new && !declared) slot->second = die.offset;
  };
  for (const DwarfUnit& unit : dwarf_.units()) {
    std::optional<Die> root = dwarf_.root_of(unit);
    if (!root) continue;
    dwarf_.walk(*root, [&](const Die& die, int depth) {
      if (die.tag() != dwarf::kSubprogram) {
        bool holds_functions = die.tag() == dwarf::kNamespace || die.tag() == dwarf::kStructureType || die.tag() == dwarf::kClassType;
        return depth == 0 || holds_functions ? Descend::Into : Descend::Over;
      }
      bool declared = dwarf_.has(die, dwarf::kDeclaration);
      std::string_view linkage = name_of_function(die);
      add(linkage, die, declared);
      if (linkage.starts_with("_Z")) add(dwarf_.attribute(die, dwarf::kName).text, die, true);
      return Descend::Over;
    });
  }
}

std::optional<Die> DebugInformation::function_named(std::string_view name) const {
  if (!names_) read_names();
  auto found = names_->find(name);
  const DwarfUnit* unit = found == names_->end() ? nullptr : dwarf_.unit_with(found->second);
  return unit ? dwarf_.die_at(*unit, found->second) : std::nullopt;
}

}  // namespace strut
