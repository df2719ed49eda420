#include "dtrace/session/kept_record.hpp"

#include <algorithm>

#include "dlang/machine/record.hpp"

namespace strut {
namespace {

/// A record's head in DTrace's buffers: the probe and the speculation.
constexpr uint64_t kHeadBytes = 8;

uint64_t text_bytes(const DProgram& program, const DAction& action) {
  auto is_text = [](const DShape& item) { return item.kind == DShape::Kind::Text; };
  return static_cast<uint64_t>(std::ranges::count_if(action.items, is_text)) * program.settings.strsize;
}

}  // namespace

uint64_t buffer_bytes(const DProgram& program, std::span<const std::byte> record) {
  uint64_t bytes = kHeadBytes;
  DRecordReader reader(record);
  while (auto recorded = reader.next()) {
    if (recorded->action >= program.actions.size()) break;
    const DAction& action = program.actions[recorded->action];
    if (!action.is_about_speculations())
      bytes += std::max<uint64_t>(recorded->items.size(), text_bytes(program, action));
  }
  return bytes;
}

uint64_t largest_buffer_bytes(const DProgram& program) {
  std::vector<uint64_t> of_clause(program.clauses.size(), 0);
  for (const DAction& action : program.actions) {
    auto numbers = std::ranges::count(action.items, DShape::Kind::Integer, &DShape::kind);
    uint64_t& bytes = of_clause[action.clause];
    bytes = std::max(bytes, kHeadBytes);
    if (!action.is_about_speculations())
      bytes += static_cast<uint64_t>(numbers) * sizeof(uint64_t) + text_bytes(program, action);
  }
  return of_clause.empty() ? 0 : *std::ranges::max_element(of_clause);
}

}  // namespace strut
