#include "cli/truss/calls.hpp"

#include <algorithm>

#include "cli/common/call_complaints.hpp"

namespace strut {

TrussCalls::TrussCalls(std::vector<FunctionChoice> choices, TraceRequest& request, Sink& sink)
    : choice_(choices),
      points_(choice_, prototypes_, {false, request.follow, !(request.follow && !request.attach.empty())}),
      stopping_(choice_, sink),
      assembler_(points_, {}, stopping_) {
  request.functions = &points_;
  if (std::ranges::any_of(choices, &FunctionChoice::stops)) request.stop_on.function_asked = &stopping_.asked;
}

Result<void> TrussCalls::Stopping::take(const Event& event) {
  const auto* entry = std::get_if<FunctionEntryEvent>(&event.what);
  if (entry && choice_.stops(*entry->call)) asked = true;
  return next_.take(event);
}

void TrussCalls::say_complaints(Messages& messages) const {
  CallFindings findings = points_.findings();
  std::vector<std::string> unmatched = surely_unmatched(findings, choice_.unmatched());
  for (const std::string& line : unmatched) messages.say(line);
  strut::say_complaints(findings, unmatched, messages);
}

}  // namespace strut
