#include "libcalls/pairing/pairing.hpp"

#include <algorithm>

namespace strut {

namespace {

bool is_tail(const ActiveCall& before, const CallPoint& point) {
  if (before.entry.frame != point.frame || before.entry.returns_to != point.returns_to) return false;
  if (before.entry.way == ReturnWay::ByAnother) return false;
  return before.jumped || (!before.entry.reports_jumps && point.returns_to != 0);
}

bool lasts_until_the_end(const ActiveCall& call) { return call.entry.way == ReturnWay::Never; }

/// Those of one frame that may return from it.
auto returning(auto range) {
  auto [first, last] = range;
  for (auto call = last; call != first; --call)
    if (lasts_until_the_end(std::prev(call)->second)) return std::pair(call, last);
  return std::pair(first, last);
}

/// Innermost first.
void move_out(auto& calls, auto first, auto last, std::vector<ActiveCall>& to) {
  for (auto call = last; call != first;) to.push_back((--call)->second);
  calls.erase(first, last);
}

}  // namespace

const ActiveCall& Pairing::enter(Tid tid, const CallPoint& point, EndedCalls& ended) {
  Thread& thread = threads_[raw(tid)];
  drop_below(tid, thread, point.frame, ended);
  if (thread.calls.size() >= thread.look_at) drop_oldest_below(thread, point.frame, ended);
  // A call is gone when another one takes over its frame without a jump out of it.
  auto [first, last] = thread.calls.equal_range(point.frame);
  auto kept = last;
  auto is_kept = [&](const ActiveCall& call) { return is_tail(call, point) || lasts_until_the_end(call); };
  while (kept != first && !is_kept(std::prev(kept)->second)) --kept;
  bool tail = kept != first && is_tail(std::prev(kept)->second, point);
  move_out(thread.calls, kept, last, ended.abandoned);
  ActiveCall call{point, ++last_id_, depth(tid, thread.calls, last, point.frame), tail, false};
  if (point.way == ReturnWay::FromOtherStack || point.way == ReturnWay::Never)
    add_elsewhere(thread, {point.frame, call.id});
  return thread.calls.emplace_hint(last, point.frame, call)->second;
}

void Pairing::leave(Tid tid, const CallPoint& point, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  drop_below(tid, found->second, point.frame, ended);
  auto [first, last] = returning(found->second.calls.equal_range(point.frame));
  if (first == last) return;
  // Something else returns in the frame that it left.
  if (std::prev(last)->second.entry.way == ReturnWay::ByAnother)
    return move_out(found->second.calls, first, last, ended.abandoned);
  bool known = point.function == 0 || std::any_of(first, last, [&](const auto& call) {
                 return call.second.jumped || call.second.entry.function == point.function;
               });
  // A call without reported jumps may have jumped to the function that returns here: its own return is still to be
  // seen.
  if (!known && !std::prev(last)->second.entry.reports_jumps) return;
  move_out(found->second.calls, first, last, known ? ended.returned : ended.abandoned);
}

void Pairing::jumped(Tid tid, const CallPoint& point, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  drop_below(tid, found->second, point.frame, ended);
  auto [first, last] = found->second.calls.equal_range(point.frame);
  if (first == last) return;
  ActiveCall& call = std::prev(last)->second;
  call.jumped = call.jumped || call.entry.function == point.function;
}

void Pairing::gone(Tid tid, uint64_t frame, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  auto [first, last] = found->second.calls.equal_range(frame);
  move_out(found->second.calls, first, last, ended.abandoned);
}

void Pairing::seen_at(Tid tid, uint64_t sp, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found != threads_.end()) drop_below(tid, found->second, sp, ended);
}

void Pairing::adopt(Tid tid, std::span<const CallPoint> calls) {
  Thread& thread = threads_[raw(tid)];
  for (const CallPoint& point : calls) {
    auto depth = static_cast<uint32_t>(thread.calls.size());
    thread.calls.emplace(point.frame, ActiveCall{point, ++last_id_, depth, false, false});
  }
}

void Pairing::forked(Tid parent, Tid child) {
  auto found = threads_.find(raw(parent));
  if (found != threads_.end()) threads_[raw(child)] = Thread(found->second);
}

void Pairing::ended(Tid tid, EndedCalls& ended) {
  auto found = threads_.find(raw(tid));
  if (found == threads_.end()) return;
  auto begin = static_cast<ptrdiff_t>(ended.abandoned.size());
  move_out(found->second.calls, found->second.calls.begin(), found->second.calls.end(), ended.abandoned);
  std::ranges::sort(ended.abandoned.begin() + begin, ended.abandoned.end(), std::greater<>{}, &ActiveCall::id);
  threads_.erase(found);
}

const Pairing::Calls& Pairing::calls_of(Tid tid) const {
  static const Calls kNone;
  auto found = threads_.find(raw(tid));
  return found == threads_.end() ? kNone : found->second.calls;
}

// Frames of one stack lie together: the first that is not of this one ends the search.
void Pairing::drop_below(Tid tid, Thread& thread, uint64_t sp, EndedCalls& ended) {
  Calls& calls = thread.calls;
  if (calls.empty() || calls.rbegin()->first >= sp) return;
  auto first = calls.upper_bound(sp), last = first;
  while (last != calls.end() && (!stacks_ || stacks_->same(tid, last->first, sp))) ++last;
  uint64_t kept = newest_elsewhere(thread);
  if (kept == 0) return move_out(calls, first, last, ended.abandoned);
  std::vector<Calls::iterator> gone;
  for (auto call = last; call != first;)
    if ((--call)->second.id > kept) gone.push_back(call);
  for (Calls::iterator call : gone) {
    ended.abandoned.push_back(call->second);
    calls.erase(call);
  }
}

bool Pairing::lasts(const Thread& thread, const CallPlace& place) {
  auto [first, last] = thread.calls.equal_range(place.frame);
  return std::any_of(first, last, [&](const auto& call) { return call.second.id == place.id; });
}

// Two coroutines that switch to each other always have one such call that lasts, behind all that ended.
void Pairing::add_elsewhere(Thread& thread, const CallPlace& place) {
  if (thread.elsewhere.size() >= thread.prune_at) {
    std::erase_if(thread.elsewhere, [&](const CallPlace& one) { return !lasts(thread, one); });
    thread.prune_at = std::max(kMinPruned, 2 * thread.elsewhere.size());
  }
  thread.elsewhere.push_back(place);
}

/// The latest call that switches stacks and lasts; 0: there is none.
uint64_t Pairing::newest_elsewhere(Thread& thread) {
  while (!thread.elsewhere.empty() && !lasts(thread, thread.elsewhere.back())) thread.elsewhere.pop_back();
  return thread.elsewhere.empty() ? 0 : thread.elsewhere.back().id;
}

// Where stacks cannot be distinguished, calls that were left by longjmp(3) or an exception stay until their frame is
// taken over. Calls of waiting coroutines look the same: the oldest of very many are dropped.
void Pairing::drop_oldest_below(Thread& thread, uint64_t sp, EndedCalls& ended) {
  constexpr size_t kNextLook = 4096;
  Calls& calls = thread.calls;
  std::vector<uint64_t> ids;
  auto first = calls.upper_bound(sp);
  for (auto call = first; call != calls.end(); ++call) ids.push_back(call->second.id);
  if (ids.size() > kMaxLeft) {
    auto oldest_kept = ids.end() - static_cast<ptrdiff_t>(kMaxLeft);
    std::ranges::nth_element(ids, oldest_kept);
    for (auto call = first; call != calls.end();) {
      auto next = std::next(call);
      if (call->second.id < *oldest_kept) move_out(calls, call, next, ended.abandoned);
      call = next;
    }
  }
  thread.look_at = std::max(kMaxLeft, calls.size()) + kNextLook;
}

// Calls of its own stack alone count, if that is known.
uint32_t Pairing::depth(Tid tid, const Calls& calls, Calls::const_iterator at, uint64_t sp) const {
  auto all = static_cast<uint32_t>(calls.size());
  if (at == calls.begin()) return all;
  const ActiveCall& above = std::prev(at)->second;
  if (above.depth + 1 == all || !stacks_) return all;
  return stacks_->same(tid, sp, above.entry.frame) ? above.depth + 1 : all;
}

}  // namespace strut
