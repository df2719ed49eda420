// The input of the compiler: D texts, their arguments and the ids that they may name, and the options that they set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dlang/language/diagnostic.hpp"
#include "pid-provider/probe_description.hpp"

namespace strut {

/// One -n, -P, -m, -f or -s. All sources of a run are one program: they share variables, aggregations and types.
struct DSource {
  std::string text;
  /// The meaning of the last field of the probe descriptions: Name, except for -P, -m, -f.
  ProbeField last_field = ProbeField::Name;
  std::string library{};  ///< the path of a D library; empty: a program
};

/// The values of `$…` (dtrace(1M), "Macro Variables").
struct DMacros {
  std::vector<std::string> arguments;  ///< [0] is $0; $1 …; $$1 is the same as a string
  /// pid, ppid, pgid, sid, uid, euid, gid, egid, target … without the dollar. The use of an absent one is an error.
  std::vector<std::pair<std::string, int64_t>> variables;
  bool default_arguments = false;  ///< -x defaultargs: missing arguments and $target are 0 and "", unused ones no error

  std::optional<int64_t> variable(std::string_view name) const {
    for (const auto& [known, value] : variables)
      if (known == name) return value;
    return std::nullopt;
  }
};

/// `#pragma D option name=value`, or `#pragma D depends_on provider name`, in order.
struct DOption {
  enum class Kind : uint8_t { Option, Provider, Module, Library } kind = Kind::Option;
  std::string name;
  std::string value;  ///< empty: written without '='
  DPosition at;
};

}  // namespace strut
