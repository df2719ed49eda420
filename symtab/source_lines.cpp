#include "symtab/source_lines.hpp"

#include <algorithm>

#include "symtab/dwarf_constants.hpp"
#include "symtab/unit_index.hpp"

namespace strut {

namespace {

/// What an inlined or outlined body is called: the name is with the entry it was made from. A few steps lead there.
std::string_view name_of(const Die& body) {
  constexpr int kMostSteps = 8;
  std::optional<Die> die = body;
  for (int step = 0; die && step < kMostSteps; step++) {
    for (uint16_t attribute : {dwarf::kLinkageName, dwarf::kMipsLinkageName, dwarf::kName})
      if (std::string_view name = die->file->attribute(*die, attribute).text; !name.empty()) {
        // A plain name: a declaration may know the linkage name.
        auto declaration = attribute == dwarf::kName ? die->file->follow(*die, dwarf::kSpecification) : std::nullopt;
        std::string_view linkage = declaration ? declaration->file->attribute(*declaration, dwarf::kLinkageName).text : std::string_view();
        return linkage.empty() ? name : linkage;
      }
    auto origin = die->file->follow(*die, dwarf::kAbstractOrigin);
    die = origin ? origin : die->file->follow(*die, dwarf::kSpecification);
  }
  return {};
}

/// What is known of one unit.
struct UnitLines {
  UnitLines(const Dwarf& dwarf, const DwarfUnit& unit) : dwarf(dwarf), unit(unit), lines(dwarf, unit) {}

  const Dwarf& dwarf;
  const DwarfUnit& unit;
  LineTable lines;
  std::optional<RangeMap> functions;  ///< bodies, to the offsets of their entries

  const RangeMap& function_bodies() {
    if (functions) return *functions;
    functions.emplace();
    std::optional<Die> root = dwarf.root_of(unit);
    uint64_t budget = dwarf.range_budget();
    if (root) dwarf.walk(*root, [&](const Die& die, int) {
        if (die.tag() == dwarf::kSubprogram)
          for (AddressRange range : dwarf.ranges_of(die, budget)) if (range.low != 0) functions->add(range.low, range.high, die.offset);  // at 0: left out by the linker
        return Descend::Into;
      });
    functions->sort();
    return *functions;
  }

  /// Inlined bodies around an address, the outermost first.
  std::vector<Die> inlined_bodies(const Die& function, uint64_t address) {
    std::vector<Die> bodies;
    int innermost = 0;  // depth of the last one
    uint64_t budget = dwarf.range_budget();
    dwarf.walk(function, [&](const Die& die, int depth) {
      if (!bodies.empty() && depth <= innermost) return Descend::Stop;
      if (depth == 0 || die.tag() == dwarf::kLexicalBlock) return Descend::Into;
      if (die.tag() != dwarf::kInlinedSubroutine) return Descend::Over;
      bool holds = std::ranges::any_of(dwarf.ranges_of(die, budget), [&](AddressRange range) { return range.contains(address); });
      if (!holds) return Descend::Over;
      bodies.push_back(die);
      innermost = depth;
      return Descend::Into;
    });
    return bodies;
  }
};

}  // namespace

struct SourceLines::State {
  State(const ElfFile& file, const ElfFile* alt)
      : supplementary(alt ? std::make_unique<Dwarf>(*alt) : nullptr), dwarf(file, supplementary.get()), index(dwarf) {}

  std::unique_ptr<Dwarf> supplementary;
  Dwarf dwarf;
  UnitIndex index;
  std::map<const DwarfUnit*, std::unique_ptr<UnitLines>> units;

  UnitLines* unit_at(uint64_t address) {
    const DwarfUnit* unit = index.at(address);
    if (!unit) return nullptr;
    auto& slot = units[unit];
    if (!slot) slot = std::make_unique<UnitLines>(dwarf, *unit);
    return slot.get();
  }
};

SourceLines::SourceLines() = default;
SourceLines::SourceLines(const ElfFile& file, const ElfFile* supplementary) : state_(std::make_unique<State>(file, supplementary)) {}
SourceLines::SourceLines(SourceLines&&) noexcept = default;
SourceLines& SourceLines::operator=(SourceLines&&) noexcept = default;
SourceLines::~SourceLines() = default;

std::optional<SourceLine> SourceLines::at(uint64_t file_address) const {
  UnitLines* unit = state_ ? state_->unit_at(file_address) : nullptr;
  return unit ? unit->lines.at(file_address) : std::nullopt;
}

std::vector<InlinedCall> SourceLines::inlined_at(uint64_t file_address) const {
  std::vector<InlinedCall> calls;
  UnitLines* unit = state_ ? state_->unit_at(file_address) : nullptr;
  const RangeMap::Range* body = unit ? unit->function_bodies().find(file_address) : nullptr;
  std::optional<Die> function = body ? state_->dwarf.die_at(unit->unit, body->id) : std::nullopt;
  if (!function) return calls;
  auto number = [&](const Die& die, uint16_t name) { return static_cast<uint32_t>(state_->dwarf.attribute(die, name).number); };
  for (const Die& die : unit->inlined_bodies(*function, file_address)) {
    std::string_view file = unit->lines.file(number(die, dwarf::kCallFile));
    calls.push_back({name_of(die), {file, number(die, dwarf::kCallLine), number(die, dwarf::kCallColumn)}});
  }
  std::ranges::reverse(calls);
  return calls;
}

}  // namespace strut
