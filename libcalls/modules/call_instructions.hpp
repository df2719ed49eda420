// A module's call instructions, by their targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "libcalls/modules/call_module.hpp"

namespace strut {

/// Opcodes; the third one is the ModRM byte behind the second one.
inline constexpr std::byte kCallRelative{0xe8}, kIndirect{0xff}, kCallByRip{0x15};

/// The targets: words that the linker fills in, through a PLT stub or without one, and the module's own code.
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
  /// Targets that may have other calls: by code that could not be decoded, belongs to no known function, or ends there.
  /// Also targets of jumps, and targets with a stub or word that other bytes of code refer to.
  std::unordered_set<const Import*> unclear;
};
/// Decodes the functions that the calls are in, unless that was done before.
FoundCalls calls_of(const CallModule& module, const CalledThings& things);

/// For CallModule::references().
std::vector<CallReference> references_to_imports(const CallModule& module);

}  // namespace strut
