#include "formatters/common/open_calls.hpp"

#include <algorithm>
#include <utility>

namespace strut {

uint64_t OpenCalls::innermost_function(const std::vector<Open>& calls, size_t below) {
  for (size_t i = below; i > 0; i--)
    if (calls[i - 1].kind == Kind::Function) return calls[i - 1].ids.id;
  return 0;
}

CallIds OpenCalls::enter(Tid thread, const void* call, Kind kind, std::string stack) {
  std::vector<Open>& calls = threads_[raw(thread)];
  // A filter may have hidden the end of the last one.
  if (kind == Kind::Syscall) std::erase_if(calls, [](const Open& open) { return open.kind == Kind::Syscall; });
  CallIds ids{++last_, innermost_function(calls, calls.size())};
  calls.push_back({call, kind, ids, std::move(stack)});
  return ids;
}

CallIds OpenCalls::current(Tid thread, const void* call, Kind kind) const {
  auto found = threads_.find(raw(thread));
  if (found == threads_.end()) return {};
  auto is_that = [&](const Open& open) { return open.call == call && open.kind == kind; };
  auto at = std::ranges::find_if(found->second, is_that);
  return at == found->second.end() ? CallIds{} : at->ids;
}

void OpenCalls::rename(Tid thread, Tid to) {
  auto node = threads_.extract(raw(thread));
  threads_.erase(raw(to));
  if (node.empty()) return;
  node.key() = raw(to);
  threads_.insert(std::move(node));
}

OpenCalls::Ended OpenCalls::end(Tid thread, const void* call, Kind kind) {
  auto found = threads_.find(raw(thread));
  if (found == threads_.end()) return {{++last_, 0}, {}};
  std::vector<Open>& calls = found->second;
  auto at = std::ranges::find_if(calls.rbegin(), calls.rend(),
                                 [&](const Open& open) { return open.call == call && open.kind == kind; });
  if (at == calls.rend()) return {{++last_, innermost_function(calls, calls.size())}, {}};
  Ended ended{at->ids, std::move(at->stack)};
  calls.erase(std::prev(at.base()));  // others may last longer, on other stacks
  return ended;
}

}  // namespace strut
