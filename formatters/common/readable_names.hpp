// Names of functions as they stand in the source: C++ ones demangled, once each.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace strut {

class ReadableNames {
 public:
  /// The name itself, if it is not mangled. Valid as long as this object and `mangled` are.
  std::string_view of(std::string_view mangled);

 private:
  std::unordered_map<std::string_view, std::string> known_;
};

}  // namespace strut
