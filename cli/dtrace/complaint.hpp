// Why a D program does not run: DTrace's own words, and more on a line below them where a person reads it.
#pragma once

#include <string>

#include "cli/common/message.hpp"

namespace strut {

struct DtraceComplaint {
  std::string text;    ///< DTrace's message, byte for byte, for scripts that compare; may have several lines
  std::string advice;  ///< the column, the correct form, names that are close
};

/// "dtrace: TEXT\n" on stderr and, if that is a terminal, "  ADVICE\n". Newlines and tabs of the text stay, other
/// control characters are escaped.
void complain(const Messages& messages, const DtraceComplaint& complaint);

}  // namespace strut
