// A place in a source file.
#pragma once

#include <cstdint>
#include <string_view>

namespace strut {

struct SourceLine {
  std::string_view file;  ///< with its directory; lives as long as the table it came from
  uint32_t line = 0;      ///< from 1; 0: the compiler names none (code of its own)
  uint32_t column = 0;    ///< from 1; 0: none is named
};

}  // namespace strut
