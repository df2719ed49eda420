// The colours of strace's text (--color, STRACE_COLORS).
#pragma once

#include <string>
#include <string_view>

namespace strut {

/// SGR parameters ("1;33") of each part of a line; empty: not coloured. The defaults are strace(1)'s.
struct Palette {
  std::string syscall = "1;33";
  std::string argname = "39";
  std::string argval = "35";
  std::string call = "1;34";
  std::string constant = "1;36";
  std::string comment = "36";
  std::string punct = "0";
  std::string retval = "32";
  std::string error = "31";
};

/// The default palette changed as STRACE_COLORS says: "syscall=1;33:error=31". What is not understood is left out.
Palette parse_palette(std::string_view text);

}  // namespace strut
