// The code that is armed, the owners of its sites, and the sites that a backend has yet to arm.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "libcalls/arming/function_sites.hpp"
#include "libcalls/modules/scope.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// A function's code that is armed, or a PLT stub in its stead: of one that is in no file, or of one that libraries
/// call among themselves.
struct TracedCode {
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

/// The meaning of a function's index (FunctionSite::function).
struct CodeOwner {
  TracedCode* code = nullptr;
  bool is_reported = true;
  std::vector<CodeFile> callers;  ///< empty: any caller
  bool returns_behind = false;    ///< the returns are seen after the callers' calls, and have no sites of their own
  std::set<uint64_t> jumpers;     ///< not reported: codes with calls that end here, because they jump here
  const CallModule* outward_from = nullptr;  ///< for an Outward site: the module that is left …
  const Import* import = nullptr;            ///< … and its import

  /// True if it reports calls of this module's; nullptr: of no known module's.
  bool has_caller(const CallModule* caller) const;
};

/// A site that a thread is at, in the terms of Pairing.
struct SiteOwner {
  uint64_t code = 0;           ///< names the function's code, whichever site of it
  bool reports_jumps = false;  ///< all of its jumps to other functions have sites, or it makes none
  bool may_jump = false;       ///< it jumps to other functions, seen or not
  bool is_reported = false;    ///< false: it is only there to see the end of calls that jumped to it
  bool is_met_twice = false;   ///< the entry is also reached without a call: by a loop, or after its caller's PLT
  bool is_outward = false;     ///< for no function: a jump out of a module
};

/// Only function() is thread-safe: functions stay where they are.
class SiteTable {
 public:
  /// The function's code; nullptr: it is in no file.
  TracedCode* code_at(const CallModule& module, uint64_t address);
  /// A PLT stub in place of these functions, or the one that is there already.
  TracedCode& stub_at(const CallModule& importer, uint64_t stub, std::span<const Definition> functions,
                      std::string_view callee);
  /// nullptr: none was made.
  TracedCode* known_at(const CallModule* module, uint64_t address) const;
  /// The function is armed where it is.
  bool is_armed_itself(const Definition& function) const;

  uint32_t add_owner(const CodeOwner& owner, const TracedFunction& function);
  /// An owner with calls that are reported.
  uint32_t add_reported(TracedCode& code, const CodeOwner& owner, const TracedFunction& function);
  CodeOwner& owner(uint32_t index) { return *owners_[index]; }
  const CodeOwner& owner(uint32_t index) const { return *owners_[index]; }
  const TracedFunction& function(uint32_t index) const { return (*functions_[index / kChunk])[index % kChunk]; }
  /// Some of the returns have no site (TracedFunction::is_left_unseen).
  void leave_unseen(uint32_t index) { (*functions_[index / kChunk])[index % kChunk].is_left_unseen = true; }
  SiteOwner seen_as(uint32_t index) const;
  /// True if an exit of this function ends calls of a code: its own, or a function that jumped to it.
  bool may_end(uint32_t index, uint64_t code) const;
  /// Functions that are reported.
  size_t reported() const { return reported_; }

  void add_site(const CallModule& module, FunctionSite site, uint32_t owner);
  /// The sites that were added since the last call, by file.
  std::vector<FunctionCode> take_new_sites();

 private:
  static constexpr size_t kChunk = 1024, kChunks = 1024;
  std::map<std::pair<const CallModule*, uint64_t>, std::unique_ptr<TracedCode>> codes_;
  std::array<std::unique_ptr<std::array<TracedFunction, kChunk>>, kChunks> functions_;
  std::vector<std::unique_ptr<CodeOwner>> owners_;
  std::map<const CallModule*, std::vector<FunctionSite>> new_sites_;
  size_t reported_ = 0;
};

}  // namespace strut
