#include "symtab/dwarf/variables.hpp"

#include <algorithm>

#include "symtab/dwarf/debug_information.hpp"
#include "symtab/dwarf/variable_place.hpp"

namespace strut {
namespace {

constexpr int kMaxOrigins = 8;  // a name is with the entry that another was made from: a few steps lead there

template <typename Found>
auto with_origins(const Die& die, Found found) -> decltype(found(die)) {
  std::optional<Die> at = die;
  for (int step = 0; at && step < kMaxOrigins; step++) {
    if (auto result = found(*at); result != decltype(result){}) return result;
    auto origin = at->follow(DW_AT_abstract_origin);
    at = origin ? origin : at->follow(DW_AT_specification);
  }
  return {};
}

std::string_view variable_name(const Die& die) {
  return with_origins(die, [](const Die& at) { return at.text(DW_AT_name); });
}

std::string_view linked_name(const Die& die) {
  return with_origins(die, [](const Die& at) { return at.text(DW_AT_linkage_name); });
}

CTypeRef variable_type(const Die& die) {
  return with_origins(die, [](const Die& at) {
    auto type = at.follow(DW_AT_type);
    return type ? CTypeRef{type->file, type->entry.addr} : CTypeRef{};
  });
}

bool is_external(const Die& die) {
  return with_origins(die, [](const Die& at) { return at.has(DW_AT_external); });
}

bool is_variable(const Die& die) { return die.tag() == DW_TAG_variable || die.tag() == DW_TAG_formal_parameter; }

bool holds(const Die& die, uint64_t address) {
  uint64_t budget = die.file->range_budget();
  return std::ranges::any_of(die.ranges(budget), [&](AddressRange range) { return range.contains(address); });
}

/// In the blocks around an address; nullopt: none of them has the name.
std::optional<Die> find_in_blocks(const Die& function, uint64_t address, std::string_view name, VariableScope scope) {
  std::optional<Die> found;
  int found_depth = 0;
  function.walk([&](const Die& die, int depth) {
    if (depth == 0) return Descend::Into;
    if (is_variable(die)) {
      if (depth > found_depth && variable_name(die) == name) found = die, found_depth = depth;
      return Descend::Over;
    }
    bool is_block = die.tag() == DW_TAG_lexical_block ||
                    (die.tag() == DW_TAG_inlined_subroutine && scope == VariableScope::Instruction);
    return is_block && holds(die, address) ? Descend::Into : Descend::Over;
  });
  return found;
}

/// Whether the function's source has such a variable, in any of its blocks.
bool is_in_source(const Die& function, std::string_view name) {
  Die source = function.follow(DW_AT_abstract_origin).value_or(function);
  bool found = false;
  source.walk([&](const Die& die, int depth) {
    found |= depth > 0 && is_variable(die) && variable_name(die) == name;
    if (found) return Descend::Stop;
    return depth == 0 || die.tag() == DW_TAG_lexical_block ? Descend::Into : Descend::Over;
  });
  return found;
}

/// The variable's number among the function's parameters; nullopt: it is none.
std::optional<uint32_t> parameter_number(const Die& function, const Die& variable) {
  std::optional<uint32_t> number;
  uint32_t count = 0;
  function.walk([&](const Die& die, int depth) {
    if (depth == 0) return Descend::Into;
    if (die.tag() == DW_TAG_formal_parameter && die.entry.addr == variable.entry.addr) number = count;
    if (die.tag() == DW_TAG_formal_parameter) count++;
    return number ? Descend::Stop : Descend::Over;
  });
  return number;
}

/// Shows the definitions of variables below a unit's root and its namespaces.
template <typename Visit>
void walk_globals(const Die& root, Visit visit) {
  root.walk([&](const Die& die, int depth) {
    if (depth == 0 || die.tag() == DW_TAG_namespace) return Descend::Into;
    if (die.tag() == DW_TAG_variable && (die.has(DW_AT_location) || die.has(DW_AT_const_value))) visit(die);
    return Descend::Over;
  });
}

bool is_named(const Die& die, std::string_view name) { return variable_name(die) == name || linked_name(die) == name; }

}  // namespace

struct Variables::Globals {
  std::unordered_multimap<std::string_view, Die> named;

  /// nullopt: there is none. Of several that sources keep to themselves none is meant.
  std::expected<std::optional<Die>, std::string> find(std::string_view name) const {
    auto [begin, end] = named.equal_range(name);
    if (begin == end) return std::nullopt;
    for (auto at = begin; at != end; ++at)
      if (is_external(at->second)) return at->second;
    if (std::next(begin) == end) return begin->second;
    return std::unexpected("several sources have a variable of this name, and not the one with this instruction");
  }
};

Variables::Variables(std::shared_ptr<const DebugInformation> debug, const ElfFile& code)
    : debug_(std::move(debug)), frames_(code) {}
Variables::~Variables() = default;

const Variables::Globals& Variables::globals() const {
  if (globals_) return *globals_;
  globals_ = std::make_unique<Globals>();
  for (const Die& root : debug_->roots()) {
    auto whole = debug_->whole(root);
    if (!whole) continue;
    walk_globals(*whole, [&](const Die& die) {
      std::string_view name = variable_name(die), linked = linked_name(die);
      if (!name.empty()) globals_->named.emplace(name, die);
      if (!linked.empty() && linked != name) globals_->named.emplace(linked, die);
    });
  }
  return *globals_;
}

/// `function` nullptr: the variable is global.
std::expected<ProgramVariable, std::string> Variables::made(const Die& variable, const Die* function,
                                                            uint64_t file_address) const {
  ProgramVariable made{variable_type(variable), {}, {}};
  auto described = described_place(variable, function, frames_, file_address);
  if (!described) return std::unexpected(described.error());
  made.place = described->place;
  if (function == nullptr && is_external(variable)) {
    std::string_view linked = linked_name(variable);
    made.exported_name = linked.empty() ? variable_name(variable) : linked;
  }
  if (!described->is_of_frame || function == nullptr) return made;
  Dwarf_Addr entry = 0;
  auto begins = debug_->body_begin(*function, file_address);
  if (!begins || ::dwarf_entrypc(&function->entry, &entry) != 0)
    return std::unexpected("the end of the function's prologue is not known");
  bool is_in_prologue = file_address >= entry && file_address < *begins;  // a cold part may lie below
  if (!is_in_prologue) return made;
  auto number = parameter_number(*function, variable);
  if (!number || entry != file_address) return std::unexpected("the function has not set its frame up there");
  made.place = {VariablePlace::Kind::Argument, VariablePlace::kNoRegister, 0, *number};
  return made;
}

/// A variable of the source with an instruction, or of any other. nullopt: there is none.
std::expected<std::optional<Die>, std::string> Variables::find_global(uint64_t file_address,
                                                                      std::string_view name) const {
  auto unit = debug_->unit_at(file_address);
  auto whole = unit ? debug_->whole(*unit) : std::nullopt;
  std::optional<Die> found;
  if (whole) {
    walk_globals(*whole, [&](const Die& die) {
      if (!found && is_named(die, name)) found = die;
    });
  }
  if (found) return found;
  return globals().find(name);
}

/// In the source with an instruction: one of another source or file.
std::optional<Die> Variables::declared(uint64_t file_address, std::string_view name) const {
  auto unit = debug_->unit_at(file_address);
  auto whole = unit ? debug_->whole(*unit) : std::nullopt;
  std::optional<Die> found;
  if (!whole) return found;
  whole->walk([&](const Die& die, int depth) {
    if (depth == 0 || die.tag() == DW_TAG_namespace) return Descend::Into;
    if (die.tag() == DW_TAG_variable && die.has(DW_AT_declaration) && is_named(die, name)) found = die;
    return found ? Descend::Stop : Descend::Over;
  });
  return found;
}

std::expected<ProgramVariable, std::string> Variables::at(uint64_t file_address, std::string_view name,
                                                          VariableScope scope) const {
  if (!debug_) return std::unexpected("its file has no debug information");
  auto function = scope == VariableScope::File ? std::nullopt : debug_->function_at(file_address);
  auto local = function ? find_in_blocks(*function, file_address, name, scope) : std::nullopt;
  if (local && !local->has(DW_AT_declaration)) return made(*local, &*function, file_address);
  if (function && !local && is_in_source(*function, name))
    return std::unexpected("it is optimized out, or of another block");
  auto found = find_global(file_address, name);
  if (!found) return std::unexpected(found.error());
  if (*found) return made(**found, nullptr, file_address);
  if (!local) local = declared(file_address, name);
  if (!local || !is_external(*local)) return std::unexpected("no variable of this name is known there");
  std::string_view linked = linked_name(*local);
  return ProgramVariable{variable_type(*local), {VariablePlace::Kind::Symbol}, linked.empty() ? name : linked};
}

}  // namespace strut
