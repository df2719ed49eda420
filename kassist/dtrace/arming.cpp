#include "kassist/dtrace/arming.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include "kassist/uprobes/code_uprobes.hpp"

namespace strut {
namespace {

/// All uprobes of an instruction have the same counter (UprobePoint::counter).
constexpr const char* kOtherCounter = "another uprobe is there that does not raise the probe's semaphore";

}  // namespace

std::vector<DRefusal> refusals_of(const DCode& code, const std::vector<RefusedUprobe>& refused) {
  std::vector<DRefusal> refusals;
  for (uint32_t i = 0; i < code.sites.size(); i++)
    if (const DSite& site = code.sites[i]; !site.uprobe_offset)
      refusals.push_back({i, std::string(site.no_uprobe ? site.no_uprobe : "no uprobe is safe on this instruction") +
                                 "; --backend=ptrace can probe it"});
  each_refused(code, refused, [&](size_t site, int error) {
    bool is_counted = error == EINVAL && code.sites[site].semaphore;
    refusals.push_back({static_cast<uint32_t>(site), is_counted ? kOtherCounter : why_refused(error)});
  });
  std::ranges::sort(refusals, {}, &DRefusal::site);
  return refusals;
}

}  // namespace strut
