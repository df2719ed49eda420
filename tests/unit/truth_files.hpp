// The files that tests named truth compare whole: STRUT_TRUTH, a list with colons between.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace strut::test {

/// Empty: none were asked for.
inline std::vector<std::string> truth_files() {
  const char* list = std::getenv("STRUT_TRUTH");
  std::vector<std::string> paths;
  for (std::string_view rest = list ? list : ""; !rest.empty();) {
    paths.emplace_back(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(rest.size(), paths.back().size() + 1));
  }
  return paths;
}

}  // namespace strut::test
