// The types of args[] of statically defined probes: by size and sign, as their notes say.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dlang/compiler/compile.hpp"
#include "dtrace/providers/target_modules.hpp"
#include "x86/site_operand.hpp"

namespace strut {

/// "int32_t" of a signed operand of 4 bytes.
std::vector<DArgumentType> types_of(std::span<const SiteOperand> operands);
/// Types for all probes of instr (x86/instruction_arguments.hpp); those without arguments have 0.
std::vector<DArgumentType> types_of_instr();

/// Types for a probe of watch, by the length of its memory; 0: an instruction's.
std::vector<DArgumentType> types_of_watch(uint8_t bytes);

class UsdtTypes {
 public:
  explicit UsdtTypes(TargetModules& modules) : modules_(modules) {}
  /// Where the probes are not known yet, or have different arguments, each is an int64_t.
  std::vector<DArgumentType> of(const ProbeDescription& probes);
  /// For probes of watch; nullopt: they are not known.
  std::optional<std::vector<DArgumentType>> of_watch(const ProbeDescription& probes);

 private:
  TargetModules& modules_;
};

}  // namespace strut
