// From sites in code to uprobes, and back to sites where the kernel has refused one.
#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <optional>

#include "kassist/uprobes/uprobes.hpp"
#include "trace/code_sites.hpp"

namespace strut {

/// Uprobes for those sites that can have one and have a cookie, in the order in which they are to be armed. Sites may
/// share an instruction (an entry's uprobe sits behind its function's first one). The kernel runs the latest consumer
/// first (6.18), so the site that must report first is armed last. The order does not change the time that arming
/// takes.
template <PlacedInFile Site, std::invocable<const Site&, size_t> CookieOf>
UprobeRequest uprobes_for(const CodeSites<Site>& code, UprobeRequest::When when, CookieOf cookie_of) {
  UprobeRequest request{code.path, {}, when, code.pid};
  request.points.reserve(code.sites.size());
  for (size_t i = code.sites.size(); i-- > 0;) {
    const Site& site = code.sites[i];
    if (!site.uprobe_offset) continue;
    std::optional<uint64_t> cookie = cookie_of(site, i);
    if (!cookie) continue;
    request.points.push_back({*site.uprobe_offset, *cookie});
    if constexpr (HasSemaphore<Site>)
      if (site.semaphore) request.points.back().counter = site.semaphore->file_offset.value_or(0);
  }
  std::ranges::stable_sort(request.points, std::greater<>{}, &UprobePoint::file_offset);
  return request;
}

/// Calls `each` with the indexes of the sites with a refused uprobe, and the kernel's error.
template <PlacedInFile Site, std::invocable<size_t, int> Each>
void each_refused(const CodeSites<Site>& code, const std::vector<RefusedUprobe>& refused, Each each) {
  if (refused.empty()) return;
  std::map<uint64_t, int> errors;
  for (const RefusedUprobe& one : refused) errors.emplace(one.file_offset, one.error);
  for (size_t i = 0; i < code.sites.size(); i++) {
    auto error = code.sites[i].uprobe_offset ? errors.find(*code.sites[i].uprobe_offset) : errors.end();
    if (error != errors.end()) each(i, error->second);
  }
}

}  // namespace strut
