#include "symtab/source_lines.hpp"

#include <algorithm>

#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

/// Inlined bodies of a function around an address, the outermost first.
std::vector<Die> inlined_bodies(const Die& function, uint64_t address) {
  const Dwarf& dwarf = *function.file;
  std::vector<Die> bodies;
  int innermost = 0;  // depth of the last one
  uint64_t budget = dwarf.range_budget();
  dwarf.walk(function, [&](const Die& die, int depth) {
    if (!bodies.empty() && depth <= innermost) return Descend::Stop;
    if (depth == 0 || die.tag() == dwarf::kLexicalBlock) return Descend::Into;
    if (die.tag() != dwarf::kInlinedSubroutine) return Descend::Over;
    bool holds =
        std::ranges::any_of(dwarf.ranges_of(die, budget), [&](AddressRange range) { return range.contains(address); });
    if (!holds) return Descend::Over;
    bodies.push_back(die);
    innermost = depth;
    return Descend::Into;
  });
  return bodies;
}

}  // namespace

const LineTable& SourceLines::table_of(const DwarfUnit& unit) const {
  auto& slot = tables_[unit.offset];
  if (!slot) slot = std::make_unique<LineTable>(debug_->dwarf(), unit);
  return *slot;
}

std::optional<SourceLine> SourceLines::at(uint64_t file_address) const {
  const DwarfUnit* unit = debug_ ? debug_->unit_at(file_address) : nullptr;
  return unit ? table_of(*unit).at(file_address) : std::nullopt;
}

std::vector<InlinedCall> SourceLines::inlined_at(uint64_t file_address) const {
  std::vector<InlinedCall> calls;
  std::optional<Die> function = debug_ ? debug_->function_at(file_address) : std::nullopt;
  if (!function) return calls;
  const LineTable& table = table_of(*debug_->unit_at(file_address));
  auto number = [](const Die& die, uint16_t name) {
    return static_cast<uint32_t>(die.file->attribute(die, name).number);
  };
  for (const Die& die : inlined_bodies(*function, file_address)) {
    std::string_view file = table.file(number(die, dwarf::kCallFile));
    calls.push_back({name_of_function(die), {file, number(die, dwarf::kCallLine), number(die, dwarf::kCallColumn)}});
  }
  std::ranges::reverse(calls);
  return calls;
}

}  // namespace strut
