// Names of code that a live process makes, as they come to be known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symtab/process/jit_symbols.hpp"

namespace strut {

/// For one process. The JIT's files are read when an unknown name is requested, and again when they have grown. They
/// are looked for rarely: programs without a JIT have such code, too.
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
