// Where calls of a function are seen: at the function, at its caller's PLT stub, or at its caller's call instructions.
//
// Pure functions of facts. Facts that cost more than a look into a table are asked for last, by the caller of these:
// whether code jumps somewhere, whether a module has a pointer to a function.
#pragma once

#include <string_view>

#include "libcalls/arming/call_choice.hpp"
#include "libcalls/modules/scope.hpp"

namespace strut {

struct CallPointsOptions {
  bool demangle = false;  ///< symbols are shown as their language has them
  bool follow = false;    ///< children are traced, and the programs that they exec
  /// Functions may be seen at the program's calls: the request has no stacks at their entry, and no calls that had
  /// begun before children could be followed.
  bool arms_calls = false;
};

/// What decides about an import of a module.
struct ImportFacts {
  bool is_of_program = false;  ///< the module is the program
  bool is_in_file = false;     ///< the module is
  bool is_go = false;          ///< the module's code is Go's
  bool is_jump_slot = false;   ///< it is called through the PLT
  bool is_canonical = false;   ///< its PLT stub is the function's address, for all modules
  bool returns_oddly = false;  ///< returns_oddly()
};
ImportFacts facts_of(const CallModule& importer, const Import& import);

/// What decides about a function that an import may mean.
struct CalleeFacts {
  bool is_elsewhere = false;  ///< in another module than the import
  bool is_in_file = false;
  bool is_needed = false;            ///< its module came with the program, or a loaded one needs it
  bool is_armed_itself = false;      ///< where it is, for other callers
  bool only_program_counts = false;  ///< only_program_counts()
  bool is_reported = false;          ///< the choice reports the program's calls
};

/// True if the choice reports no call of the function but the program's.
bool only_program_counts(const CallChoice& choice, const FilteredModule& callee, std::string_view symbol);

/// At the program's PLT stub, where each hit costs a stop, so that calls among libraries must not come by.
bool may_be_seen_at_stub(const ImportFacts& import);
bool may_be_seen_at_stub(const CalleeFacts& callee);
/// At the program's call instructions, which the kernel emulates.
bool may_be_seen_at_calls(const CallPointsOptions& options, const ImportFacts& import);
bool may_be_seen_at_calls(const CalleeFacts& callee);
/// Returns of an import's calls after its call instructions.
bool may_return_behind(const ImportFacts& import);

/// What decides whether a function's return address may be replaced.
struct ReplaceFacts {
  bool is_described = false;  ///< ModuleFunctions::is_described()
  bool is_leaf = false;       ///< FunctionSites::is_leaf
  bool is_go = false;
  bool is_of_library = false;     ///< its description is of a function of its library
  FrameUse frame = FrameUse{};    ///< by its description
  bool may_be_cancelled = false;  ///< a module that was seen may cancel threads
};
bool may_replace_return(const ReplaceFacts& facts);

}  // namespace strut
