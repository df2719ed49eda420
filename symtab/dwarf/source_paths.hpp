// Names of source files in full. Private to symtab.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "symtab/dwarf/die.hpp"

namespace strut {

/// Completes paths of line tables; keeps the completed ones.
class SourcePaths {
 public:
  /// `name`: libdw's, which leaves a directory as it is that is relative to the directory of the compilation; `unit`:
  /// the root of the unit with the line table. Empty: there is no name, or one that is no path.
  std::string_view of(const char* name, const Die& unit) const;

 private:
  mutable std::unordered_map<const char*, std::string> completed_;
};

}  // namespace strut
