// Places in a function's code at which its calls show.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "libcalls/modules/call_module.hpp"
#include "pid-provider/control_flow.hpp"
#include "trace/function_points.hpp"

namespace strut {

/// A function that is left by a jump to another one, which returns in its stead.
struct JumpOut {
  uint64_t target = 0;             ///< for its own module; 0: an import, or unknown
  const Import* import = nullptr;  ///< through a PLT or a GOT slot
};

/// The calls, jumps and returns in a function's code. Sites have no function yet.
struct FunctionSites {
  FunctionSite entry;
  bool is_entry_dear = false;          ///< a uprobe there is stepped, or there can be none
  std::vector<FunctionSite> ways_out;  ///< returns and jumps out, ascending
  std::vector<JumpOut> jumps;          ///< where the jumps lead

  /// True if other functions return in its stead.
  bool is_left_otherwise() const { return runs_out || !jumps.empty(); }
  bool runs_out = false;      ///< control also runs into the next function, without a jump
  bool is_looped_to = false;  ///< it jumps to its own beginning: not a call
  bool is_leaf = false;       ///< the return address may be replaced, whatever else is known about it
  bool is_described = false;  ///< ModuleFunctions::is_described()
};

/// Decodes the function that begins at an address of the file. nullopt: its code cannot be decoded.
std::optional<FunctionSites> sites_of(const CallModule& module, uint64_t address);

/// A site on one instruction outside of functions: a PLT stub, a jump out of a module, the instruction after a call.
/// nullopt: no instruction is there.
std::optional<FunctionSite> site_on(const CallModule& module, uint64_t address, FunctionSite::Kind kind);

}  // namespace strut
