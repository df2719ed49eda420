#include "kassist/dtrace/arming.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace strut {

/// Sites may share an instruction (an entry's uprobe sits behind its function's first one). The kernel runs the latest
/// consumer first (6.18), so the probe that must fire first is armed last. The order does not change the time that
/// arming takes.
std::vector<UprobePoint> points_of(const DCode& code, const std::vector<uint64_t>& cookies) {
  std::vector<UprobePoint> points;
  points.reserve(code.sites.size());
  for (size_t i = code.sites.size(); i-- > 0;)
    if (code.sites[i].uprobe_offset) points.push_back({*code.sites[i].uprobe_offset, cookies[i]});
  std::ranges::stable_sort(points, std::greater<>{}, &UprobePoint::file_offset);
  return points;
}

std::vector<DRefusal> refusals_of(const DCode& code, const std::vector<RefusedUprobe>& refused) {
  std::map<uint64_t, int> errors;
  for (const RefusedUprobe& one : refused) errors.emplace(one.file_offset, one.error);
  std::vector<DRefusal> refusals;
  for (uint32_t i = 0; i < code.sites.size(); i++) {
    const DSite& site = code.sites[i];
    auto error = site.uprobe_offset ? errors.find(*site.uprobe_offset) : errors.end();
    if (!site.uprobe_offset)
      refusals.push_back({i, std::string(site.no_uprobe ? site.no_uprobe : "no uprobe is safe on this instruction") +
                                 "; --backend=ptrace can probe it"});
    else if (error != errors.end()) refusals.push_back({i, why_refused(error->second)});
  }
  return refusals;
}

}  // namespace strut
