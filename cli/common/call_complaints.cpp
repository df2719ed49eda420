#include "cli/common/call_complaints.hpp"

#include <algorithm>
#include <iterator>

namespace strut {

namespace {

constexpr size_t kMaxComplaints = 10;

}  // namespace

std::vector<std::string> surely_unmatched(const CallFindings& findings, std::vector<std::string> names) {
  return findings.lacks_files ? std::vector<std::string>() : std::move(names);
}

void say_complaints(const CallFindings& findings, const std::vector<std::string>& unmatched, Messages& messages) {
  std::vector<std::string> complaints = findings.complaints;
  if (!unmatched.empty()) std::ranges::copy(findings.hidden, std::back_inserter(complaints));
  size_t said = std::min(complaints.size(), kMaxComplaints);
  for (size_t i = 0; i < said; i++) messages.say(complaints[i]);
  if (said < complaints.size())
    messages.say(std::to_string(complaints.size() - said) + " more functions could not be traced");
}

}  // namespace strut
