// Functions with calls that are reported, armed where they are or at their callers' PLT.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "libcalls/arming/return_sites.hpp"

namespace strut {

/// Not for use by several threads at once.
class WantedFunctions {
 public:
  WantedFunctions(ArmingContext& context, ReturnSites& returns) : context_(context), returns_(returns) {}

  /// By this name. `caller`: the module that counts; nullptr: from wherever it is called.
  void want(TracedCode& code, std::string_view symbol, const CallModule* caller);
  /// An import of this module resolves to it.
  void mean(const CallModule& caller, const Import& import, TracedCode& code);
  /// An import is armed at its functions, as far as its calls count.
  void take_where_it_is(const PlacedModule& importer, const Import& import, std::span<const Definition> definitions);

  /// An owner of which it is not known yet where its returns are seen.
  struct Undecided {
    TracedCode* code;
    uint32_t owner;
    const CallModule* caller;  ///< the one that counts
  };
  const std::vector<Undecided>& undecided() const { return undecided_; }
  /// Those of this caller.
  std::vector<Undecided> take_undecided(const CallModule& caller);

 private:
  void trace(TracedCode& code, std::string_view symbol, std::vector<CodeFile> callers, const CallModule* caller);
  void take_returns(TracedCode& code, uint32_t owner, const CallModule* caller);
  std::vector<CodeFile> callers_of(const CallModule& callee, std::string_view symbol, const CallModule* caller) const;
  void watch_stub(const CallModule& caller, const Import& import, TracedCode& code);
  TracedCode* vdso_stub(const CallModule& caller, const Import& import);

  ArmingContext& context_;
  ReturnSites& returns_;
  std::vector<Undecided> undecided_;
};

}  // namespace strut
