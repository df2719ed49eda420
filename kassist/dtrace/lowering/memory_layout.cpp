#include "kassist/dtrace/lowering/memory_layout.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kassist/wire/dtrace_run.h"

namespace strut {
namespace {

constexpr uint32_t kAlign = 16;
uint32_t aligned(uint32_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

/// Elements of -x dynvarsize are allocated when the program is loaded: more is not wanted by accident.
constexpr uint64_t kMostElementBytes = uint64_t{64} << 20;

Error too_large(std::string what, uint64_t bytes, uint32_t room) {
  return {0, "run the program in the kernel", std::move(what),
          "they take " + std::to_string(bytes) + " bytes; the kernel's part has room for " + std::to_string(room),
          "--backend=ptrace has room for more"};
}

}  // namespace

bool is_in_dynamic_memory(const DVariable& variable) {
  return variable.shape.kind == DShape::Kind::Bytes && variable.address == 0;
}

uint32_t power_above(uint32_t bytes) { return std::bit_ceil(bytes + 1); }

Result<DMemoryLayout> memory_layout(const DProgram& program) {
  DMemoryLayout layout{.thread_places = std::vector<uint32_t>(program.variables.size())};
  uint32_t largest = 0, largest_element = 0, clauses = 0;
  for (size_t i = 0; i < program.variables.size(); i++) {
    const DVariable& variable = program.variables[i];
    if (variable.scope == DScope::Clause && variable.address != 0)
      clauses = std::max(clauses, static_cast<uint32_t>(variable.address - kDScratchBase) + variable.bytes);
    if (!is_in_dynamic_memory(variable)) continue;
    largest = std::max(largest, variable.bytes);
    if (!variable.keys.empty()) largest_element = std::max(largest_element, variable.bytes);
    else layout.thread_places[i] = std::exchange(layout.thread_bytes, aligned(layout.thread_bytes + variable.bytes));
    if (layout.thread_bytes >= D_THREAD_MOST)
      return fail(too_large("self-> variables of structure and array types", layout.thread_bytes, D_THREAD_MOST - 1));
  }
  if (largest == 0) return layout;
  uint64_t absent = uint64_t{clauses} + aligned(largest);  // reserved by the compiler, if there was room
  if (absent > program.clause_bytes)
    return fail(too_large("variables of structure and array types", absent, kDMostClauseBytes));
  layout.absent_address = kDScratchBase + program.clause_bytes - aligned(largest);
  uint64_t room = std::min(program.settings.dynvarsize, kMostElementBytes);
  if (largest_element != 0)
    layout.element_bytes = std::bit_ceil(std::max(static_cast<uint32_t>(room), largest_element));
  return layout;
}

}  // namespace strut
