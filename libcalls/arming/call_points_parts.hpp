// What CallPoints keeps: for its own files only.
#pragma once

#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libcalls/arming/call_points.hpp"
#include "libcalls/modules/call_instructions.hpp"

namespace strut {

/// A function's code that is armed, or a PLT stub in its stead: of one that is in no file, or of one that libraries
/// call among themselves.
struct CallPoints::Code {
  uint64_t id = 0;  ///< never 0; of armed calls that of the function
  const CallModule* module = nullptr;
  uint64_t address = 0;
  bool is_stub = false;
  std::vector<Definition> functions;  ///< of a stub what it stands for: one, or what an IFUNC chooses from; never empty
  const Definition& function() const { return functions.front(); }
  std::optional<FunctionSites> sites;   ///< of a stub only the entry
  std::vector<FunctionSite> calls;      ///< of a stub: its module's calls, which are armed instead
  std::vector<std::string_view> names;  ///< by which it is wanted, the first one first
  std::string_view callee;              ///< what has the code, as it is shown; of a stub not the module it is in
  bool is_wanted_itself = false;        ///< by its definition: from wherever it is called
  bool is_jumped_to = false;            ///< a stub, by its module's own code: it may return to any other
  /// That are armed, too, for it takes no uprobe: by caller and owner.
  std::set<std::pair<const CallModule*, uint32_t>> stubs;
  std::vector<uint32_t> told;  ///< owners, each with other callers
  /// Owners of its ways out alone: by may_replace, by whether anybody may call, and whose calls end there.
  std::map<std::tuple<bool, bool, const FunctionDesc*>, uint32_t> hidden;
};

/// What an index stands for.
struct CallPoints::Owner {
  Code* code = nullptr;
  bool is_told = true;
  std::vector<CodeFile> callers;  ///< empty: anybody
  bool returns_behind = false;    ///< its returns are seen behind the callers' calls, and have no sites of their own
  std::set<uint64_t> jumpers;     ///< not told: codes whose calls end here, for they jump here
  const CallModule* outward_from = nullptr;  ///< of an Outward site: the module that is left …
  const Import* import = nullptr;            ///< … and for what
};

/// One process: its modules, and what of them is looked at.
struct CallPoints::Process {
  std::unique_ptr<ProcessModules> modules;
  std::unordered_map<const Module*, const CallModule*> known;
  std::vector<PlacedModule> placed;
  uint64_t looked_ns = 0;
  bool is_unseen = true;                 ///< nobody has seen what its program has mapped
  std::unordered_set<uint64_t> nowhere;  ///< pages that no module had when that was looked at last
  PlacedModule program;                  ///< another one: it has executed something
  std::unordered_map<const CallModule*, std::vector<const Import*>> unresolved;  ///< of modules whose calls count
  bool has_tunables = false;
  std::optional<int64_t> errno_place;
};

/// Calls of a program's that all name what they call.
struct CallPoints::NamedCalls {
  std::set<Definition> unpointed;  ///< functions to which nobody has a pointer
  std::unordered_map<const Import*, std::vector<CallInstruction>> calls;
  /// Nothing but these calls leads there, and where they return there may be probes.
  std::unordered_set<const Import*> named;

  void look(const CallModule& caller, CalledThings things);
  bool all_return(const Import* import) const { return named.contains(import); }
  std::span<const CallInstruction> of(const Import* import) const {
    auto found = calls.find(import);
    return found == calls.end() ? std::span<const CallInstruction>{} : found->second;
  }
};

/// Sites that the next answer to a backend has.
struct CallPoints::Pending {
  std::map<const CallModule*, std::vector<FunctionSite>> sites;
};

}  // namespace strut
