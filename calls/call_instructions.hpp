// Call instructions of a module by what they call.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "calls/call_module.hpp"

namespace strut {

/// What is called: words that the linker fills in, by PLT stub or without one, and code of the module itself.
struct CalledThings {
  std::unordered_set<const Import*> imports;
  std::unordered_set<uint64_t> addresses;
  bool empty() const { return imports.empty() && addresses.empty(); }
};

struct CallInstruction {
  uint64_t returns_to = 0;         ///< an instruction of the same function
  const Import* import = nullptr;  ///< nullptr: `address`
  uint64_t address = 0;
};

/// All of them that return, ascending. Decodes the functions that they are in.
std::vector<CallInstruction> calls_of(const CallModule& module, const CalledThings& things);

}  // namespace strut
