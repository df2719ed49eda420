#include "cli/call_complaints.hpp"

#include <algorithm>

namespace strut {

namespace {

constexpr size_t kMostComplaints = 10;

}  // namespace

void say_complaints(const CallPoints& points, Messages& messages) {
  std::vector<std::string> complaints = points.complaints();
  size_t said = std::min(complaints.size(), kMostComplaints);
  for (size_t i = 0; i < said; i++) messages.say(complaints[i]);
  if (said < complaints.size())
    messages.say(std::to_string(complaints.size() - said) + " more functions could not be traced");
}

}  // namespace strut
