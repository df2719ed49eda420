// Names of code that a live process makes, as they come to be known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symtab/process/jit_symbols.hpp"

namespace strut {

/// Of one process. What its JIT wrote is read when a name is asked for that is not known, and again when it has grown.
/// Which files these are is not asked more often than is good: programs without a JIT have such code, too.
class JitReader {
 public:
  /// nullopt: there is no name. One lives until the next call.
  std::optional<JitSymbols::Found> at(Pid pid, Addr address);

 private:
  JitSymbols symbols_;
  std::vector<Mapping> dumps_;  ///< jitdump files that it has mapped
  std::vector<std::string> files_;
  std::vector<int64_t> sizes_;  ///< of them, when they were read; -1: not there
  uint64_t looked_ns_ = 0;      ///< CLOCK_MONOTONIC; 0: never
};

}  // namespace strut
