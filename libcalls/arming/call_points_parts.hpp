// The data of CallPoints: for its own files only.
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
  std::vector<Definition> functions;  ///< the functions of a stub: one, or an IFUNC's possible choices; never empty
  const Definition& function() const { return functions.front(); }
  std::optional<FunctionSites> sites;   ///< for a stub only the entry
  std::vector<FunctionSite> calls;      ///< for a stub: its module's calls, which are armed instead
  std::vector<std::string_view> names;  ///< by which it is wanted, the first one first
  std::string_view callee;              ///< the module that has the code, as it is shown; of a stub not its own module
  bool is_wanted_itself = false;        ///< by its definition: from wherever it is called
  bool is_jumped_to = false;            ///< a stub, by its module's own code: it may return to any other
  /// That are armed, too, for it takes no uprobe: by caller and owner.
  std::set<std::pair<const CallModule*, uint32_t>> stubs;
  std::vector<uint32_t> reported;  ///< owners, each with other callers
  /// Owners of its exits alone: by may_replace, by whether any caller counts, and by the functions with calls that end
  /// there.
  std::map<std::tuple<bool, bool, const FunctionDesc*>, uint32_t> hidden;
};

/// The meaning of an index.
struct CallPoints::Owner {
  Code* code = nullptr;
  bool is_reported = true;
  std::vector<CodeFile> callers;  ///< empty: any caller
  bool returns_behind = false;    ///< the returns are seen after the callers' calls, and have no sites of their own
  std::set<uint64_t> jumpers;     ///< not reported: codes with calls that end here, because they jump here
  const CallModule* outward_from = nullptr;  ///< for an Outward site: the module that is left …
  const Import* import = nullptr;            ///< … and its import
};

/// One process: its modules, and the parts of them that were looked at.
struct CallPoints::Process {
  std::unique_ptr<ProcessModules> modules;
  std::unordered_map<const Module*, const CallModule*> known;
  std::vector<PlacedModule> placed;
  uint64_t looked_ns = 0;
  bool is_unseen = true;                 ///< the mappings of its program were not read
  std::unordered_set<uint64_t> nowhere;  ///< pages that no module had when that was looked at last
  PlacedModule program;                  ///< another one: it has executed something
  std::unordered_map<const CallModule*, std::vector<const Import*>> unresolved;  ///< for modules with calls that count
  bool has_tunables = false;
  std::optional<int64_t> errno_place;
};

/// Calls of a program that all name the called function.
struct CallPoints::NamedCalls {
  std::set<Definition> unpointed;  ///< functions without a pointer to them
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
