// Names of JIT code, for as long as they are requested.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "symtab/process/jit_reader.hpp"

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

/// For one process.
class MadeCode {
 public:
  /// nullopt: there is no name. It is kept by `names`.
  std::optional<JitSymbols::Found> at(Pid pid, Addr address, KeptNames& names) {
    auto found = jit_.at(pid, address);
    if (found) found->name = names.keep(found->name);
    return found;
  }

 private:
  JitReader jit_;
};

}  // namespace strut
