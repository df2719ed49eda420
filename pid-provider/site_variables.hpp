// Variables of a program at sites of probes, as operands.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pid-provider/points.hpp"
#include "symtab/dwarf/variables.hpp"
#include "symtab/process/module.hpp"
#include "x86/site_operand.hpp"

namespace strut {

/// A variable when a site is reached.
struct SiteVariable {
  CTypeRef type;  ///< for ModuleFile::prototypes()
  SiteOperand operand;
  /// The operand's value is the variable's address: its own value has no register, or lies in another file.
  bool is_address = false;
};

/// Whether an integer of C has a sign.
bool is_signed_in_c(const CType& type);

/// A site as far as its variables depend on it.
struct VariableSite {
  uint64_t address = 0;  ///< for the file: where the probe is hit
  PidProbe::Kind kind = PidProbe::Kind::Offset;
};

/// The variables of one module. A name is `count, a variable of the function, of the source or of the module;
/// MODULE`count means global ones alone. args[N] is a parameter at a function's entry, args[1] its result at a return.
class SiteVariables {
 public:
  /// `names`: how the module may be called. The module must outlive this.
  SiteVariables(const ModuleFile& module, const ModuleNames& names);

  /// Error: why there is no value.
  std::expected<SiteVariable, std::string> at(const VariableSite& site, std::string_view name) const;

 private:
  std::expected<SiteVariable, std::string> argument_of_function(const VariableSite& site, std::string_view name) const;
  std::expected<SiteVariable, std::string> placed(const ProgramVariable& variable, const VariableSite& site) const;
  std::expected<SiteVariable, std::string> of_symbol(const ProgramVariable& variable, const VariableSite& site,
                                                     SiteVariable made) const;
  SiteVariable of_file(const ProgramVariable& variable, const VariableSite& site, SiteVariable made) const;
  std::expected<SiteOperand, std::string> argument(const ProgramVariable& variable, const VariableSite& site,
                                                   SiteOperand operand) const;
  const uint64_t* word_with_address(std::string_view exported_name) const;

  const ModuleFile& module_;
  std::string path_, soname_;
  bool is_program_;
  Variables variables_;
  mutable std::optional<std::unordered_map<std::string_view, uint64_t>> words_;
};

}  // namespace strut
