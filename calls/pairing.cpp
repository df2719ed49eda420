#include "calls/pairing.hpp"

#include <algorithm>
#include <ranges>

namespace strut {

const ActiveCall& Pairing::enter(Tid tid, const CallPoint& point, EndedCalls& ended) {
  Thread& thread = threads_[raw(tid)];
  drop_below(tid, thread, point.frame, ended);
  drop_same_frame(thread, point, ended);
  bool tail = !thread.calls.empty() && is_tail(thread.calls.back(), point);
  auto depth = static_cast<uint32_t>(thread.calls.size());
  return thread.calls.emplace_back(ActiveCall{point, ++last_id_, depth, tail, false});
}

void Pairing::leave(Tid tid, const CallPoint& point, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  std::vector<ActiveCall>& calls = found->second.calls;
  drop_below(tid, found->second, point.frame, ended);
  auto at_frame = [&](const ActiveCall& call) { return call.entry.frame == point.frame; };
  auto last = std::ranges::find_if(calls.rbegin(), calls.rend(), at_frame);
  if (last == calls.rend()) return;
  auto end = last.base(), first = end;
  while (first != calls.begin() && at_frame(*std::prev(first))) --first;
  bool known = point.function == 0 || std::any_of(first, end, [&](const ActiveCall& call) {
                 return call.jumped || call.entry.function == point.function;
               });
  // A call that does not tell its jumps may have jumped to what returns here: its own return is still to be seen.
  if (!known && !std::prev(end)->entry.tells_jumps) return;
  std::vector<ActiveCall>& to = known ? ended.returned : ended.abandoned;
  for (auto call = end; call != first;) to.push_back(*--call);
  calls.erase(first, end);
}

void Pairing::jumped(Tid tid, const CallPoint& point, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  drop_below(tid, found->second, point.frame, ended);
  for (ActiveCall& call : std::views::reverse(found->second.calls)) {
    if (call.entry.frame != point.frame) continue;
    call.jumped = call.jumped || call.entry.function == point.function;
    return;
  }
}

void Pairing::seen_at(Tid tid, uint64_t sp, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found != threads_.end()) drop_below(tid, found->second, sp, ended);
}

void Pairing::adopt(Tid tid, std::span<const CallPoint> calls) {
  Thread& thread = threads_[raw(tid)];
  for (const CallPoint& point : calls)
    thread.calls.push_back({point, ++last_id_, static_cast<uint32_t>(thread.calls.size()), false, false});
}

void Pairing::forked(Tid parent, Tid child) {
  auto found = threads_.find(raw(parent));
  if (found != threads_.end()) threads_[raw(child)] = Thread(found->second);
}

void Pairing::ended(Tid tid, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  for (const ActiveCall& call : std::views::reverse(found->second.calls)) ended.abandoned.push_back(call);
  threads_.erase(found);
}

std::span<const ActiveCall> Pairing::active(Tid tid) const {
  auto found = threads_.find(raw(tid));
  return found == threads_.end() ? std::span<const ActiveCall>{} : found->second.calls;
}

// Where all calls are on one stack their frames descend: the first that is not below ends the search, and deep
// recursion costs nothing.
void Pairing::drop_below(Tid tid, Thread& thread, uint64_t sp, EndedCalls& ended) {
  std::vector<ActiveCall>& calls = thread.calls;
  bool kept = false;
  for (size_t i = calls.size(); i > 0; i--) {
    const ActiveCall& call = calls[i - 1];
    if (call.entry.frame >= sp) {
      if (!thread.several_stacks) break;
      continue;
    }
    if (stacks_ && !stacks_->same(tid, call.entry.frame, sp)) {
      thread.several_stacks = kept = true;
      continue;
    }
    ended.abandoned.push_back(call);
    calls.erase(calls.begin() + static_cast<ptrdiff_t>(i - 1));
  }
  if (calls.size() < 2 && !kept) thread.several_stacks = false;
}

// A call whose frame another one takes over without a jump out of it is gone.
void Pairing::drop_same_frame(Thread& thread, const CallPoint& point, EndedCalls& ended) {
  std::vector<ActiveCall>& calls = thread.calls;
  while (!calls.empty() && calls.back().entry.frame == point.frame && !is_tail(calls.back(), point)) {
    ended.abandoned.push_back(calls.back());
    calls.pop_back();
  }
}

bool Pairing::is_tail(const ActiveCall& before, const CallPoint& point) const {
  if (before.entry.frame != point.frame || before.entry.returns_to != point.returns_to) return false;
  return before.jumped || (!before.entry.tells_jumps && point.returns_to != 0);
}

}  // namespace strut
