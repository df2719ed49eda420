// Where returns of traced functions are seen: at their own exits, at those of functions that they jump to, or after the
// calls of them.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "libcalls/arming/arming_context.hpp"

namespace strut {

/// Not for use by several threads at once.
class ReturnSites {
 public:
  explicit ReturnSites(ArmingContext& context) : context_(context) {}

  /// Sites at the exits of an owner's code; its jumps are followed by follow_found_jumps().
  void take_ways_out(TracedCode& code, uint32_t owner);
  /// A function that a module calls returns there, for the first owner with this caller: one is enough to see the end.
  void add_behind(const TracedCode& code, const CallModule& caller, uint64_t address);
  /// The addresses in a module that have such sites.
  std::unordered_set<uint64_t> behind_calls_of(const CallModule& caller) const;

  // -- steps of a look at a process --
  /// Jumps to modules that were not there before.
  void follow_waiting_jumps();
  /// Jumps out of a module with calls that count.
  void look_for_jumps(const CallModule& caller);
  /// When all reported functions are known.
  void follow_found_jumps();
  void look_behind_calls(const CallModule& caller);

  /// A site after a call could not be armed.
  void refused_behind(const TracedCode& code, const FunctionCode& file, const FunctionSite& site);
  /// A reported function has returns that its own sites do not show.
  bool has_unseen(const TracedCode& code) const { return left_unseen_.contains(&code); }
  /// Whether its returns to an address have a site there. `caller`: the module there.
  bool are_seen_behind(const TracedCode& code, const PlacedModule& caller, uint64_t return_address) const;

 private:
  /// A function with calls that end at its jump's target.
  struct Jumper {
    uint64_t code;
    const FunctionDesc* desc;
    bool may_replace;
    std::vector<CodeFile> callers;  ///< as CodeOwner has them
  };
  /// A jump of such a one through a word of its module.
  struct JumpToFollow {
    const CallModule* from;
    const Import* import;
    Jumper jumper;
    int depth;
  };
  bool trace_jumps(const FunctionSites& sites, const CallModule& module, const Jumper& jumper, int depth);
  bool follow_jump(const JumpToFollow& jump, bool& all);
  bool hide(const CallModule& module, uint64_t address, const Jumper& jumper, int depth);
  uint32_t add_hidden(TracedCode& code, const Jumper& jumper);
  void leave_unseen(const TracedCode& code, bool shows_jumps);
  void add_outward(const CallModule& caller, const OutwardJump& jump, const FunctionSite& site);

  ArmingContext& context_;
  std::vector<std::pair<const TracedCode*, Jumper>> jumpers_;  ///< that were found in this look
  std::vector<JumpToFollow> jumps_to_come_;                    ///< to targets in modules that are not there yet
  std::unordered_map<const CallModule*, std::unordered_set<uint64_t>> jumps_taken_;  ///< by address
  /// Reported functions with returns that no site shows.
  std::unordered_set<const TracedCode*> left_unseen_;
  std::set<std::pair<const CallModule*, const TracedCode*>> looked_behind_;  ///< whose calls of those
  /// With the return addresses of those calls.
  std::set<std::tuple<const CallModule*, const TracedCode*, uint64_t>> behind_;
  /// Where those have sites: device, inode, offset.
  std::set<std::tuple<const TracedCode*, uint64_t, uint64_t, uint64_t>> seen_behind_;
};

}  // namespace strut
