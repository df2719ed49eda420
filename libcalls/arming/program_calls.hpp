// Functions that are seen where the program calls them, not where they are.
//
// A uprobe on an instruction that the kernel cannot emulate, as at most functions' beginnings, is a single-step for
// every call: a library's own calls are many more than the program's. The kernel emulates a call instruction. So where
// the program alone counts, names all of its calls of a function, and has no other way to it, those instructions are
// armed, and the instructions after them. It is assumed to have no other way as long as no module in its processes is
// seen to have a pointer to the function; the code below handles pointers that appear later.
//
// The function's own returns are hit for all callers, too: under the same conditions returns are seen after the calls.
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libcalls/arming/wanted_functions.hpp"
#include "libcalls/modules/call_instructions.hpp"
#include "libcalls/modules/offered_function.hpp"

namespace strut {

/// Not for use by several threads at once.
class ProgramCalls {
 public:
  ProgramCalls(ArmingContext& context, ReturnSites& returns, WantedFunctions& wanted)
      : context_(context), returns_(returns), wanted_(wanted) {}

  /// Takes an import: its calls are armed already, or may come to be by decide(). False: they may not.
  bool take(const PlacedModule& importer, const Import& import, std::span<const Definition> functions);
  /// For a program: modules that came since the last look may have pointers to functions.
  void look_for_pointers(const CallModule& program);
  /// When all imports are taken: which calls are armed, and behind which a return is seen.
  void decide();

 private:
  /// An import of the program with calls that may be armed in place of the function.
  struct Candidate {
    PlacedModule importer;
    const Import* import;
    std::vector<Definition> functions;
  };
  /// A function that the program is taken to have no pointer to: it is armed where that calls it, or seen to return
  /// there.
  struct Unpointed {
    OfferedFunction function;
    std::string_view name;  ///< by which the program calls it
    TracedCode* code;       ///< it is armed itself, and this owner's returns are seen after the calls; nullptr: it is
                            ///< not armed
    uint32_t owner;
  };
  struct Assumed {
    std::unordered_set<const CallModule*> beside;  ///< modules that the program's processes have had
    bool names_are_looked_up = false;              ///< by one of those
    std::vector<Unpointed> functions;              ///< none of them points to one of these
  };
  /// Calls of a program that all name the called function.
  struct NamedCalls {
    std::set<Definition> unpointed;  ///< functions without a pointer to them
    std::unordered_map<const Import*, std::vector<CallInstruction>> calls;
    /// Nothing but these calls leads there, and where they return there may be probes.
    std::unordered_set<const Import*> named;

    void look(const CallModule& caller, CalledThings things);
    bool is_unpointed(const Definition& function) const { return unpointed.contains(function); }
    bool all_return(const Import* import) const { return named.contains(import); }
    std::span<const CallInstruction> of(const Import* import) const;
  };

  bool may_arm_calls(const PlacedModule& importer, const Import& import, std::span<const Definition> functions);
  bool is_dear(const TracedCode& code, std::string_view name);
  bool has_armed_calls(const CallModule& caller, const Import& import, std::span<const Definition> functions);
  Unpointed stand_for(TracedCode& code, const Definition& function, std::string_view name);
  void decide(const CallModule& caller, std::span<const Candidate> candidates);
  NamedCalls named_calls(const CallModule& caller, std::span<const Candidate> candidates);
  void decide_calls(const CallModule& caller, std::span<const Candidate> candidates, const NamedCalls& named);
  void arm_calls(const Candidate& candidate, std::span<const CallInstruction> calls);
  void decide_returns(const CallModule& caller, const NamedCalls& named);
  std::vector<const Import*> ways_to(const CallModule& caller, const TracedCode& code) const;
  std::vector<bool> is_pointed_to(const CallModule& program, std::span<const OfferedFunction> functions);
  bool looks_up(const CallModule& program, const CallModule& module) const;
  void see_every_call(const CallModule& program, const Unpointed& one);

  ArmingContext& context_;
  ReturnSites& returns_;
  WantedFunctions& wanted_;
  std::vector<Candidate> candidates_;
  std::unordered_map<const CallModule*, Assumed> assumed_;  ///< by program
};

}  // namespace strut
