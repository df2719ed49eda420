// Probes that programs declare: `provider p { probe go(int, char *); };` (DTrace Guide, "Statically Defined Tracing").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace strut {

struct DeclaredProbe {
  std::string provider, name;
  std::vector<std::string> types;  ///< as written, without the parameters' names
};

/// The declarations of a D program that compiles, in order. Error: it has words that no program has.
Result<std::vector<DeclaredProbe>> declared_probes(std::string_view program);

}  // namespace strut
