#include "symtab/dwarf/debug_information.hpp"

#include "symtab/dwarf/line_program_check.hpp"

namespace strut {

namespace {

std::string complaint(std::string_view source, std::string_view obstacle) {
  constexpr size_t kLongestName = 256;
  std::string name(source.empty() || source.size() > kLongestName ? "a source" : source);
  return "the lines of " + name + " (and of others like it) are not known: " + std::string(obstacle);
}

}  // namespace

std::string_view name_of_function(const Die& function) {
  constexpr int kMaxSteps = 8;  // a name is with the entry that a body was made from: a few steps lead there
  std::string_view plain;
  std::optional<Die> die = function;
  for (int step = 0; die && step < kMaxSteps; step++) {
    for (unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
      if (std::string_view name = die->text(attribute); !name.empty()) return name;
    if (plain.empty()) plain = die->text(DW_AT_name);
    auto origin = die->follow(DW_AT_abstract_origin);
    die = origin ? origin : die->follow(DW_AT_specification);
  }
  return plain;
}

std::shared_ptr<const DebugInformation> DebugInformation::of(const ElfFile& file, const ElfFile* supplementary,
                                                             SplitPlaces places) {
  std::unique_ptr<DwarfFile> dwarf = DwarfFile::of(file);
  if (!dwarf) return nullptr;
  std::unique_ptr<DwarfFile> other = supplementary ? DwarfFile::of(*supplementary) : nullptr;
  return std::shared_ptr<const DebugInformation>(
      new DebugInformation(std::move(dwarf), std::move(other), std::move(places)));
}

DebugInformation::DebugInformation(std::unique_ptr<DwarfFile> file, std::unique_ptr<DwarfFile> supplementary,
                                   SplitPlaces places)
    : supplementary_(std::move(supplementary)),
      file_(std::move(file)),
      split_(*file_, std::move(places)),
      units_(*file_) {
  file_->set_supplementary(supplementary_.get());
}

std::vector<Die> DebugInformation::roots() const {
  std::vector<Die> roots;
  for (const Unit& unit : file_->units())
    if (!unit.has_type()) roots.push_back(unit.root);
  return roots;
}

bool DebugInformation::has_readable_lines(const Die& root) const {
  auto [slot, is_new] = readable_.try_emplace(root.entry.addr);
  if (!is_new) return slot->second;
  std::string_view obstacle = line_table_obstacle(root);
  slot->second = obstacle.empty();
  if (!obstacle.empty() && unread_lines_.empty()) unread_lines_ = complaint(root.text(DW_AT_name), obstacle);
  return slot->second;
}

const RangeMap& DebugInformation::bodies_of(const Die& root) const {
  auto [slot, is_new] = bodies_.try_emplace(root.entry.addr);
  RangeMap& bodies = slot->second;
  if (!is_new) return bodies;
  uint64_t budget = root.file->range_budget();
  root.walk([&](const Die& die, int) {
    if (die.tag() == DW_TAG_subprogram)
      for (AddressRange range : die.ranges(budget))
        if (range.low != 0)  // at 0: left out by the linker
          bodies.add(range.low, range.high, reinterpret_cast<uint64_t>(die.entry.addr));
    return Descend::Into;
  });
  bodies.sort();
  return bodies;
}

std::optional<Die> DebugInformation::function_at(uint64_t file_address) const {
  std::optional<Die> unit = unit_at(file_address);
  std::optional<Die> whole = unit ? split_.whole(*unit) : std::nullopt;
  const RangeMap::Range* body = whole ? bodies_of(*whole).find(file_address) : nullptr;
  return body ? std::optional(whole->at(reinterpret_cast<void*>(body->id))) : std::nullopt;
}

/// libdw's dwarf_entry_breakpoints() does the same, but not for split units.
std::optional<uint64_t> DebugInformation::body_begin(const Die& function, uint64_t file_address) const {
  std::optional<Die> unit = unit_at(file_address);
  Dwarf_Addr entry = 0;
  Dwarf_Lines* lines = nullptr;
  size_t count = 0;
  if (!unit || ::dwarf_entrypc(&function.entry, &entry) != 0 || !has_readable_lines(*unit) ||
      ::dwarf_getsrclines(&unit->entry, &lines, &count) != 0)
    return std::nullopt;
  std::optional<uint64_t> second;
  for (size_t i = 0; i < count; i++) {
    Dwarf_Line* row = ::dwarf_onesrcline(lines, i);
    Dwarf_Addr address = 0;
    bool is_marked = false, is_end = false;
    ::dwarf_lineaddr(row, &address);
    ::dwarf_lineprologueend(row, &is_marked);
    ::dwarf_lineendsequence(row, &is_end);
    if (address < entry || is_end) continue;
    if (::dwarf_haspc(&function.entry, address) != 1) break;
    if (is_marked) return address;
    if (address > entry && !second) second = address;
  }
  return second;
}

void DebugInformation::read_names() const {
  names_.emplace();
  for (const Unit& unit : file_->units()) {
    if (unit.has_type()) continue;  // has declarations only
    if (auto whole = split_.whole(unit.root)) read_names(*whole);
  }
}

/// Functions stand below a unit's root, namespaces and classes.
void DebugInformation::read_names(const Die& root) const {
  auto add = [&](std::string_view name, const Die& die, bool declared) {
    if (name.empty()) return;
    auto [slot, is_new] = names_->try_emplace(name, die);
    if (!is_new && !declared) slot->second = die;
  };
  root.walk([&](const Die& die, int depth) {
    unsigned tag = die.tag();
    if (tag != DW_TAG_subprogram) {
      bool holds_functions = tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
      return depth == 0 || holds_functions ? Descend::Into : Descend::Over;
    }
    bool declared = die.has(DW_AT_declaration);
    std::string_view linkage = name_of_function(die);
    add(linkage, die, declared);
    if (linkage.starts_with("_Z")) add(die.text(DW_AT_name), die, true);
    return Descend::Over;
  });
}

std::optional<Die> DebugInformation::function_named(std::string_view name) const {
  if (!names_) read_names();
  auto found = names_->find(name);
  return found == names_->end() ? std::nullopt : std::optional(found->second);
}

}  // namespace strut
