// Where debug information that was split off from a module is looked for.
#pragma once

#include <string>

namespace strut {

struct SplitPlaces {
  std::string module;  ///< path of the program or library, as its process names it; empty: nothing is looked for
  std::string root;    ///< in front of absolute paths, as in debug_file_candidates
};

}  // namespace strut
