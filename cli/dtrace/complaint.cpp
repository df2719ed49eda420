#include "cli/dtrace/complaint.hpp"

#include <algorithm>

#include <unistd.h>

namespace strut {
namespace {

std::string printable_lines(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    size_t length = std::min(text.find_first_of("\n\t"), text.size());
    plain += printable(text.substr(0, length));
    if (length < text.size()) plain += text[length++];
    text.remove_prefix(length);
  }
  return plain;
}

}  // namespace

void complain(const Messages& messages, const DtraceComplaint& complaint) {
  std::string lines = printable(messages.program()) + ": " + printable_lines(complaint.text) + '\n';
  if (!complaint.advice.empty() && ::isatty(STDERR_FILENO) == 1) lines += "  " + printable(complaint.advice) + '\n';
  write_to_stderr(lines);
}

}  // namespace strut
