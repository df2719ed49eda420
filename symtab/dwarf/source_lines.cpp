#include "symtab/dwarf/source_lines.hpp"

#include <algorithm>

#include "symtab/dwarf/debug_information.hpp"
#include "symtab/dwarf/source_paths.hpp"

namespace strut {

namespace {

/// Inlined bodies of a function around an address, the outermost first.
std::vector<Die> inlined_bodies(const Die& function, uint64_t address) {
  std::vector<Die> bodies;
  int innermost = 0;  // depth of the last one
  uint64_t budget = function.file->range_budget();
  function.walk([&](const Die& die, int depth) {
    if (!bodies.empty() && depth <= innermost) return Descend::Stop;
    if (depth == 0 || die.tag() == DW_TAG_lexical_block) return Descend::Into;
    if (die.tag() != DW_TAG_inlined_subroutine) return Descend::Over;
    bool holds = std::ranges::any_of(die.ranges(budget), [&](AddressRange range) { return range.contains(address); });
    if (!holds) return Descend::Over;
    bodies.push_back(die);
    innermost = depth;
    return Descend::Into;
  });
  return bodies;
}

}  // namespace

SourceLines::SourceLines(std::shared_ptr<const DebugInformation> debug)
    : debug_(std::move(debug)), paths_(std::make_shared<SourcePaths>()) {}

std::optional<SourceLine> SourceLines::at(uint64_t file_address) const {
  std::optional<Die> unit = debug_ ? debug_->unit_at(file_address) : std::nullopt;
  bool is_known = unit && debug_->has_readable_lines(*unit);
  Dwarf_Line* row = is_known ? ::dwarf_getsrc_die(&unit->entry, file_address) : nullptr;
  if (!row) return std::nullopt;
  int line = 0, column = 0;
  ::dwarf_lineno(row, &line);
  ::dwarf_linecol(row, &column);
  return SourceLine{paths_->of(::dwarf_linesrc(row, nullptr, nullptr), *unit), static_cast<uint32_t>(line),
                    static_cast<uint32_t>(column)};
}

std::string_view SourceLines::unread() const { return debug_ ? debug_->unread_lines() : std::string_view(); }

std::vector<InlinedCall> SourceLines::inlined_at(uint64_t file_address) const {
  std::vector<InlinedCall> calls;
  std::optional<Die> function = debug_ ? debug_->function_at(file_address) : std::nullopt;
  std::optional<Die> unit = function ? debug_->unit_at(file_address) : std::nullopt;
  std::vector<Die> bodies = unit ? inlined_bodies(*function, file_address) : std::vector<Die>();
  if (bodies.empty()) return calls;
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (!debug_->has_readable_lines(*unit) || ::dwarf_getsrcfiles(&unit->entry, &files, &count) != 0) files = nullptr;
  auto number = [](const Die& die, unsigned name) { return static_cast<uint32_t>(die.number(name).value_or(0)); };
  for (const Die& die : bodies) {
    uint32_t file = number(die, DW_AT_call_file);
    std::string_view path =
        files && file < count ? paths_->of(::dwarf_filesrc(files, file, nullptr, nullptr), *unit) : "";
    calls.push_back({name_of_function(die), {path, number(die, DW_AT_call_line), number(die, DW_AT_call_column)}});
  }
  std::ranges::reverse(calls);
  return calls;
}

}  // namespace strut
