// A look at a process with changed code: which functions of its modules are wanted.
#pragma once

#include <unordered_set>

#include "libcalls/arming/program_calls.hpp"
#include "libcalls/arming/program_stubs.hpp"
#include "libcalls/modules/module_catalogue.hpp"

namespace strut {

/// Not for use by several threads at once.
class ModuleLook {
 public:
  explicit ModuleLook(ArmingContext& context)
      : context_(context),
        returns_(context),
        wanted_(context, returns_),
        stubs_(context),
        calls_(context, returns_, wanted_) {}

  /// Adds the sites of new code to the context's table.
  void look_at(CataloguedProcess& process, Scope& scope);
  ReturnSites& returns() { return returns_; }
  const ReturnSites& returns() const { return returns_; }
  /// Whether programs were looked at, and import no function.
  bool programs_import_nothing() const;

 private:
  void look_at_first(const CallModule& module);
  /// Reports that nothing can be seen: a program without libraries, and no wanted function in it.
  void look_at_program(const CallModule& module);
  void note_what_is_hidden(const CallModule& module);
  void look_inside(const CallModule& module);
  void look_for(const Function& function, const CallModule& module);
  void look_for_imports(CataloguedProcess& process, const PlacedModule& importer);
  void take(const PlacedModule& importer, const Import& import, std::span<const Definition> definitions);
  void look_at_offers(const CallModule& module);
  void look_at_offer(const CallModule& module, const Symbol& symbol, const CallModule& caller);

  ArmingContext& context_;
  ReturnSites returns_;
  WantedFunctions wanted_;
  ProgramStubs stubs_;
  ProgramCalls calls_;
  std::unordered_set<const CallModule*> seen_, looked_inside_, offers_taken_;
};

}  // namespace strut
