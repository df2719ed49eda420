// Names of code that a process made itself, as long as somebody asks for them.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "symtab/jit_symbols.hpp"

namespace strut {

/// Strings that stay where they are.
class KeptNames {
 public:
  std::string_view keep(std::string_view name) {
    auto known = names_.find(name);
    return known != names_.end() ? *known : *names_.emplace(name).first;
  }

 private:
  std::set<std::string, std::less<>> names_;
};

/// Of one process. What its JIT wrote is read when a name is asked for that is not known, and not more often than is good:
/// programs without a JIT have such code, too.
class MadeCode {
 public:
  /// nullopt: there is no name. It is kept by `names`.
  std::optional<JitSymbols::Found> at(Pid pid, Addr address, KeptNames& names);

 private:
  JitSymbols symbols_;
  uint64_t read_ns_ = 0;  ///< CLOCK_MONOTONIC: when it was read; 0: never
};

}  // namespace strut
