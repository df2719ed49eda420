// Built-in variables that are known only where stacks are unwound, outside of the kernel: ustackdepth, and ucaller
// elsewhere than at functions' entries and returns. A record has the stack in their stead (kassist/dtrace/stacks.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/result.hpp"
#include "dlang/compiler/program.hpp"

namespace strut {

enum class DLateValue : uint8_t { None, Caller, Depth };

/// Where such values go: into records, keys and values of aggregations, nowhere else.
struct DLateValues {
  /// Instructions that put one somewhere, Put…, Key… and Aggregate (its value), by their indexes in DProgram::code.
  std::map<uint32_t, DLateValue> takers;
  std::map<std::pair<uint32_t, uint32_t>, DLateValue> items;  ///< by action and item
  std::map<std::pair<uint32_t, uint32_t>, DLateValue> keys;   ///< by Aggregate's index in DProgram::code, and key
  std::set<uint32_t> aggregations;                            ///< with such a key or value anywhere

  bool empty() const { return takers.empty(); }
  DLateValue taken_by(uint32_t instruction) const;
  DLateValue item(uint32_t action, uint32_t item) const;
  DLateValue key(uint32_t aggregate, uint32_t key) const;
};

/// The late value of an instruction that reads a built-in variable in a clause; None: the kernel knows it.
DLateValue late_value_of(const DClause& clause, const DInstruction& instruction);

/// Error: a clause does something else with one; `subject` names it, `why` the line.
Result<DLateValues> late_values(const DProgram& program);

}  // namespace strut
