// The identity of a call, by its caller: which of a function's names it was called by, and whether it is reported.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libcalls/arming/call_choice.hpp"
#include "libcalls/arming/site_table.hpp"
#include "libcalls/prototypes/prototype_search.hpp"

namespace strut {

/// The identity of a call, once its caller is known.
struct CallVerdict {
  bool reported = false;
  std::string_view symbol, module, caller;
  FunctionLabel label = FunctionLabel::Name;
  const FunctionDesc* desc = nullptr;
};

/// How symbols are shown.
enum class SymbolStyle : uint8_t { Raw, Demangled };

/// Not for use by several threads at once.
class CallAttribution {
 public:
  /// All outlive it.
  CallAttribution(const CallChoice& choice, PrototypeSearch& prototypes, const SiteTable& sites, SymbolStyle style)
      : choice_(choice), prototypes_(prototypes), sites_(sites), style_(style) {}

  // -- what imports resolve to, where they count --
  void note(const Import& import, TracedCode& code);
  /// Empty: nothing that counts, so far.
  std::span<TracedCode* const> meanings(const Import& import) const;
  /// Whether a module's import is this function.
  bool means(const Import& import, const CallModule& caller, const TracedCode& code) const;

  // -- calls; `program`: of the process, nullptr: unknown. References stay good --
  /// A call that returns to an address of a module (`caller.module`; nullptr: of none).
  const CallVerdict& called(uint32_t index, const PlacedModule& caller, const CallModule* program,
                            uint64_t return_address);
  /// The same, not remembered.
  CallVerdict judge(const CodeOwner& owner, const PlacedModule& caller, const CallModule* program,
                    uint64_t return_address);
  /// A call by a jump out of a module: `outward` is the index of the Outward site.
  const CallVerdict& called_by_jump(uint32_t index, uint32_t outward);
  /// No call: a function that is active, and has not returned, jumped there.
  const CallVerdict& jumped_to(uint32_t index);
  /// True if the instruction before a return address names this function.
  bool is_called_there(const TracedCode& code, const PlacedModule& caller, uint64_t return_address) const;

  std::string_view shown(std::string_view symbol);

 private:
  bool reports(const CodeOwner& owner, const CallModule* caller) const;
  CallVerdict verdict(const CodeOwner& owner, std::string_view symbol, const CallModule* caller, CallWay way);
  const CallModule* jumping_program(const CallModule* program, const CallModule& caller, const Import& import) const;

  struct VerdictKey {
    uint32_t index;
    const CallModule* caller;
    uint64_t at;
    const CallModule* program = nullptr;  ///< a library's call of a name may resolve to its function
    bool operator==(const VerdictKey&) const = default;
  };
  struct VerdictHash {
    size_t operator()(const VerdictKey& key) const;
  };

  const CallChoice& choice_;
  PrototypeSearch& prototypes_;
  const SiteTable& sites_;
  const SymbolStyle style_;
  std::unordered_map<const Import*, std::vector<TracedCode*>> meanings_;
  std::unordered_map<VerdictKey, CallVerdict, VerdictHash> verdicts_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::string_view> shown_;
};

}  // namespace strut
