// Types of the program's variables that clauses of pid and instr probes name.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/compiler/compile.hpp"
#include "dtrace/providers/dwarf_types.hpp"
#include "dtrace/providers/target_modules.hpp"
#include "pid-provider/points.hpp"
#include "pid-provider/site_variables.hpp"

namespace strut {

/// Looks at all sites that a description means by now.
class PidVariables {
 public:
  explicit PidVariables(TargetModules& modules) : modules_(modules) {}

  /// Error: why the variable has no value at one of the sites, or that there is no site yet.
  std::expected<DProgramVariableType, std::string> of(const ProbeDescription& probes, std::string_view name,
                                                      DTypes& types);

 private:
  /// A file that is looked into.
  struct Looked {
    explicit Looked(const PidModule& module);
    std::shared_ptr<const ModuleFile> file;
    std::string module_name;
    ModuleFunctions functions;
    SiteVariables variables;
  };
  /// The sites of a description in a file.
  struct Sites {
    Looked* looked;
    ProbeList list;
  };
  Looked& looked_at(const PidModule& module);
  std::expected<std::vector<Sites>*, std::string> sites_of(const ProbeDescription& probes);
  std::expected<void, std::string> add(const Sites& sites, std::string_view name, DTypes& types,
                                       std::optional<DProgramVariableType>& into);

  TargetModules& modules_;
  DwarfTypes dwarf_;
  std::map<std::pair<const ModuleFile*, bool>, std::unique_ptr<Looked>> looked_;
  std::map<std::string, std::vector<Sites>> sites_;  ///< by description
};

}  // namespace strut
