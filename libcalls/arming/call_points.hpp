// The functions to arm in a trace's processes, and the call that a hit at one of them means.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libcalls/arming/call_choice.hpp"
#include "libcalls/arming/function_sites.hpp"
#include "libcalls/modules/call_modules.hpp"
#include "libcalls/modules/code_places.hpp"
#include "libcalls/modules/offered_function.hpp"
#include "libcalls/modules/scope.hpp"
#include "libcalls/modules/stack_places.hpp"
#include "libcalls/prototypes/prototype_search.hpp"
#include "symtab/process/process_modules.hpp"
#include "trace/function_points.hpp"

namespace strut {

struct CallPointsOptions {
  bool demangle = false;  ///< symbols are shown as their language has them
  bool follow = false;    ///< children are traced, and the programs that they exec
  /// Functions may be seen at the program's calls: the request has no stacks at their entry, and no calls that had
  /// begun before children could be followed.
  bool arms_calls = false;
};

struct CallInstruction;

/// The identity of a call, once its caller is known.
struct CallVerdict {
  bool reported = false;
  std::string_view symbol, module, caller;
  FunctionLabel label = FunctionLabel::Name;
  const FunctionDesc* desc = nullptr;
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

/// Thread-safe: backends ask while a sink reports. `choice` and `prototypes` outlive it and are asked under its lock.
class CallPoints final : public FunctionPoints {
 public:
  CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options);
  ~CallPoints() override;

  void hits_cost_alike() override { takes_stubs_ = true; }
  std::unique_ptr<FunctionPoints> anew() const override;
  std::vector<FunctionCode> code_changed(Pid pid) override;
  std::vector<FunctionCode> behind(uint32_t index, Pid pid, uint64_t return_address) override;
  void refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) override;
  const TracedFunction& function(uint32_t index) const override;
  std::optional<int64_t> errno_place(Pid pid) const override;

  // -- for reporting ----------------------------------------------------------------------------
  SiteOwner owner(uint32_t index) const;
  /// True if an exit of this function ends calls of a code: its own, or a function that jumped to it.
  bool may_end(uint32_t index, uint64_t code) const;
  /// A call of a function that returns to an address.
  const CallVerdict& called(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns);
  /// A call by a jump out of a module: `outward` is the function of the Outward site.
  const CallVerdict& called_by_jump(uint32_t index, uint32_t outward);
  /// No call: a function that is active, and has not returned, jumped there.
  const CallVerdict& jumped_to(uint32_t index);
  /// Whether a call of a function that jumped away may have returned to an address unseen.
  bool may_return_unseen(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns);
  /// True if the instruction before a return address names this function.
  bool is_called_there(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns);
  /// Whether a return address is in code. Otherwise a tracer has replaced it.
  bool is_code(Pid pid, uint64_t address, uint64_t when_ns);
  /// The function or object of a module that begins at an address.
  std::optional<std::string> symbol(Pid pid, uint64_t address, uint64_t when_ns);
  /// A process runs another program since this time: its mappings are read if they were not reported yet.
  void executed(Pid pid, uint64_t when_ns);
  /// A child process has its parent's code.
  void forked(Pid parent, Pid child) {
    places_.forked(parent, child);
    stacks_.forked(parent, child);
  }
  /// Where stacks may be, as it was when a process was last looked at.
  const SeenStacks& stacks() const { return stacks_; }

  // -- for complaints -------------------------------------------------------------------------------- "puts@libc.so.6:
  // why": functions that could not be armed, or not be seen, in the order of their discovery.
  std::vector<std::string> complaints() const;
  /// Files with code could not be read: a name that matches none of the other functions may be one of theirs.
  bool lacks_files() const;
  /// "libz.so.1: why": why a requested function may be none of the known ones, in addition to complaints().
  std::vector<std::string> hidden() const;
  /// Whether programs were looked at, and import no function.
  bool programs_import_nothing() const;
  /// Functions that are reported.
  size_t functions() const;

 private:
  CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options,
             std::shared_ptr<CallModules> modules);
  struct Code;
  struct Owner;
  struct Process;
  struct Pending;
  /// A function with calls that end at its jump's target.
  struct Jumper {
    uint64_t code;
    const FunctionDesc* desc;
    bool may_replace;
    std::vector<CodeFile> callers;  ///< as Owner has them
  };
  /// A jump of such a one through a word of its module.
  struct JumpToFollow {
    const CallModule* from;
    const Import* import;
    Jumper jumper;
    int depth;
  };

  /// An owner of which it is not known yet where its returns are seen.
  struct Undecided {
    Code* code;
    uint32_t owner;
    const CallModule* caller;  ///< the one that counts
  };

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
    Code* code;  ///< it is armed itself, and this owner's returns are seen after the calls; nullptr: it is not
                 ///< armed
    uint32_t owner;
  };
  struct Assumed {
    std::unordered_set<const CallModule*> beside;  ///< modules that the program's processes have had
    bool names_are_looked_up = false;              ///< by one of those
    std::vector<Unpointed> functions;              ///< none of them points to one of these
  };

  /// A program's calls of some imports.
  struct NamedCalls;

  Process* refresh(Pid pid);
  void note_other_code(const ProcessModules& modules);
  void look_at(Process& process, Scope& scope);
  void look_for_imports(Process& process, Scope& scope, const PlacedModule& importer);
  /// Reports that nothing can be seen: a program without libraries, and no wanted function in it.
  void look_at_program(const CallModule& module);
  void note_what_is_hidden(const CallModule& module);
  void look_inside(const CallModule& module, const Scope& scope);
  void look_at_offers(const CallModule& module, const Scope& scope);
  void look_for_jumps(const CallModule& caller);
  void look_behind_calls(const CallModule& caller);
  void add_behind(const Code& code, const CallModule& caller, uint64_t address);
  void leave_unseen(const Code& code, bool shows_jumps);
  void take(const PlacedModule& importer, const Import& import, std::span<const Definition> definitions);
  void take_where_it_is(const PlacedModule& importer, const Import& import, std::span<const Definition> definitions);
  void mean(const CallModule& caller, const Import& import, Code& code);
  bool may_arm_calls(const PlacedModule& importer, const Import& import, std::span<const Definition> functions);
  bool is_dear(const Code& code, std::string_view name);
  bool has_armed_calls(const CallModule& caller, const Import& import, std::span<const Definition> functions);
  Unpointed stand_for(Code& code, const Definition& function, std::string_view name);
  void decide_calls(const CallModule& caller, std::span<const Candidate> candidates, const NamedCalls& named);
  bool may_arm_call(const CallModule& caller, const CallInstruction& call) const;
  void arm_calls(const Candidate& candidate, std::span<const CallInstruction> calls);
  std::vector<bool> is_pointed_to(const CallModule& program, std::span<const OfferedFunction> functions);
  bool looks_up(const CallModule& program, const CallModule& module) const;
  void look_for_pointers(const CallModule& program);
  void see_every_call(const CallModule& program, const Unpointed& one);
  void want(Code& code, std::string_view symbol, const CallModule* caller);
  void trace(Code& code, std::string_view symbol, std::vector<CodeFile> callers, const CallModule* caller);
  void take_ways_out(Code& code, uint32_t owner);
  void decide();
  void decide(const CallModule& caller, std::span<const Candidate> candidates);
  std::vector<const Import*> ways_to(const CallModule& caller, const Code& code) const;
  void decide_returns(const CallModule& caller, std::span<const Undecided> undecided, const NamedCalls& named);
  bool may_return_behind(const CallModule& caller, std::span<const Import* const> ways) const;
  bool trace_jumps(const FunctionSites& sites, const CallModule& module, const Jumper& jumper, int depth);
  bool follow_jump(const JumpToFollow& jump, bool& all);
  bool hide(const CallModule& module, uint64_t address, const Jumper& jumper, int depth);
  Code* code_at(const CallModule& module, uint64_t address);
  void watch_stub(const CallModule& caller, const Import& import, Code& code);
  Code* stub_for(const PlacedModule& importer, const Import& import);
  Code* stub_code(const CallModule& importer, uint64_t stub, std::span<const Definition> functions,
                  std::string_view callee);
  Code* stand_in(const PlacedModule& importer, const Import& import, std::span<const Definition> functions);
  bool is_pointed_to(const PlacedModule& importer, const Definition& function);
  bool is_armed_itself(const Definition& function) const;
  uint32_t add_owner(const Owner& owner, const TracedFunction& function);
  void add_site(const CallModule& module, FunctionSite site, uint32_t owner);
  std::vector<FunctionCode> take_pending();
  bool may_replace(const Code& code, const FunctionDesc& desc) const;
  bool only_program_counts(const CallModule& callee, std::string_view symbol) const;
  std::vector<CodeFile> callers_of(const CallModule& callee, std::string_view symbol, const CallModule* caller) const;
  std::string_view shown(std::string_view symbol);
  void complain(std::string text);

  bool means(const Import& import, const CallModule& caller, const Code& code) const;
  static bool has_caller(const Owner& owner, const CallModule* caller);
  bool reports(const Owner& owner, const CallModule* caller) const;
  CallVerdict verdict(const Owner& owner, std::string_view symbol, const CallModule* caller, CallWay way);
  PlacedModule placed(Pid pid, uint64_t address, uint64_t when_ns);
  const CallModule* program_of(Pid pid) const;
  const CallModule* jumping_program(const CallModule* program, const CallModule& caller, const Import& import) const;
  CallVerdict judge(const Owner& owner, const PlacedModule& caller, const CallModule* program, uint64_t return_address);

  const CallChoice& choice_;
  PrototypeSearch& prototypes_;
  const CallPointsOptions options_;
  mutable std::mutex mutex_;
  const std::shared_ptr<CallModules> modules_;
  bool lacks_files_ = false;
  CodePlaces places_;
  SeenStacks stacks_;
  std::unordered_map<int32_t, std::unique_ptr<Process>> processes_;
  std::map<std::pair<const CallModule*, uint64_t>, std::unique_ptr<Code>> codes_;
  std::unordered_map<const Import*, std::vector<Code*>>
      meant_;  ///< the functions that imports resolve to, where they count
  std::unordered_set<const CallModule*> seen_, looked_inside_, offers_taken_;
  std::unordered_map<const CallModule*, std::unordered_set<uint64_t>> jumps_taken_;  ///< by address
  std::unique_ptr<Pending> pending_;
  Scope* scope_ = nullptr;  ///< for the process that is looked at
  /// The functions that modules have pointers to, at this look.
  std::unordered_map<const CallModule*, std::set<std::pair<const CallModule*, uint64_t>>> pointed_to_;
  bool takes_stubs_ = false;
  std::vector<std::pair<const Code*, Jumper>> jumpers_;     ///< that were found in this look
  std::vector<Undecided> undecided_;                        ///< the structures by name
  std::vector<Candidate> candidates_;                       ///< the structures by name
  std::unordered_map<const CallModule*, Assumed> assumed_;  ///< by program
  std::vector<JumpToFollow> jumps_to_come_;                 ///< to targets in modules that are not there yet
  /// Reported functions with returns that no site shows.
  std::unordered_set<const Code*> left_unseen_;
  std::set<std::pair<const CallModule*, const Code*>> looked_behind_;  ///< whose calls of those
  /// With the return addresses of those calls.
  std::set<std::tuple<const CallModule*, const Code*, uint64_t>> behind_;
  /// Where those have sites: device, inode, offset.
  std::set<std::tuple<const Code*, uint64_t, uint64_t, uint64_t>> seen_behind_;
  bool somebody_cancels_ = false;  ///< a module that was seen may cancel threads
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::string_view> shown_;
  std::vector<std::string> complaints_;
  std::vector<std::string> hidden_;  ///< a line for a module
  std::unordered_set<std::string> complained_;
  size_t reported_ = 0;
  uint64_t calls_from_nowhere_ = 0;  ///< by processes that were gone before their code was looked at

  // Functions by index, where they stay.
  static constexpr size_t kChunk = 1024, kChunks = 1024;
  std::array<std::unique_ptr<std::array<TracedFunction, kChunk>>, kChunks> traced_;
  std::vector<std::unique_ptr<Owner>> owners_;
  struct VerdictKey {
    uint32_t index;
    const CallModule* caller;
    uint64_t at;
    const CallModule* program = nullptr;  ///< the process's: a library's call of a name may resolve to its function
    bool operator==(const VerdictKey&) const = default;
  };
  struct VerdictHash {
    size_t operator()(const VerdictKey& key) const;
  };
  std::unordered_map<VerdictKey, CallVerdict, VerdictHash> verdicts_;
};

}  // namespace strut
