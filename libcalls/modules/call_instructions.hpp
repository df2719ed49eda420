// Call instructions of a module by what they call.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "libcalls/modules/call_module.hpp"

namespace strut {

/// What is called: words that the linker fills in, by PLT stub or without one, and code of the module itself.
struct CalledThings {
  std::unordered_set<const Import*> imports;
  std::unordered_set<uint64_t> addresses;
  bool empty() const { return imports.empty() && addresses.empty(); }
};

struct CallInstruction {
  uint64_t begins = 0;             ///< with its prefixes
  uint64_t returns_to = 0;         ///< an instruction of the same function
  const Import* import = nullptr;  ///< nullptr: `address`
  uint64_t address = 0;
};

struct FoundCalls {
  std::vector<CallInstruction> calls;  ///< all that return, ascending
  /// What may be called elsewhere, too: by code that could not be decoded, belongs to no function that is known, or
  /// ends there. And what is jumped to, or whose stub or word bytes of code name otherwise.
  std::unordered_set<const Import*> unclear;
};
/// Decodes the functions that the calls are in.
FoundCalls calls_of(const CallModule& module, const CalledThings& things);

}  // namespace strut
