// Pairs of entries and returns: the open traced calls of each thread, distinguished by the stack pointer.
//
// A call's return address is at one place of the stack until it returns: its frame. Frames of later calls on the same
// stack are below. So any exit without a return (longjmp, an exception, a tail call) shows in the stack pointer of the
// next event. Calls on what may be another stack (sigaltstack(2), coroutines) are left alone until another call takes
// over their frame; so are a call that switches stacks, as long as it lasts, and those that were made before it: the
// other stacks may lie in their frames. A call that its thread ends in lasts until then, whatever runs in its frame.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "libcalls/prototypes/function_table.hpp"

namespace strut {

/// An entry or a return, as a probe or a stop shows it.
struct CallPoint {
  uint64_t function = 0;            ///< whatever names it to the caller; 0, of a return: not known
  uint64_t frame = 0;               ///< %rsp at the function's first instruction or at its ret; behind the ret %rsp - 8
  uint64_t returns_to = 0;          ///< the word at the frame; 0: not known
  bool reports_jumps = false;       ///< entry: jumped() will report tail jumps out of this function
  ReturnWay way = ReturnWay::Once;  ///< entry
};

/// A call that a thread is in.
struct ActiveCall {
  CallPoint entry;
  uint64_t id = 0;      ///< dense, from 1, never used again
  uint32_t depth = 0;   ///< calls of its thread that were active when it was made
  bool tail = false;    ///< entered by a jump out of the call before it, taking over that frame
  bool jumped = false;  ///< it ended in a jump to another function, which will return in its stead
};

/// Calls that ended, innermost first.
struct EndedCalls {
  /// Their returns will not be seen: longjmp, an exception, the end of thread or program; with `jumped`: they
  /// returned, through a function that is not traced, with an unseen result.
  std::vector<ActiveCall> abandoned;
  std::vector<ActiveCall> returned;  ///< the call, then those that jumped to it: all with one result
};

/// Distinguishes stacks. Called where a stack pointer is above that of an active call.
class Stacks {
 public:
  virtual ~Stacks() = default;
  /// Whether two addresses are surely in one stack of this thread. If they are, so is all memory between them.
  virtual bool same(Tid tid, uint64_t low, uint64_t high) = 0;
};

/// The calls of all threads. Pure: depends only on its inputs.
class Pairing {
 public:
  /// `stacks` outlives it; nullptr: every thread has only one.
  explicit Pairing(Stacks* stacks = nullptr) : stacks_(stacks) {}

  /// A thread entered a function. `ended` gets the calls that this proves to be gone. The reference is good until the
  /// next call.
  const ActiveCall& enter(Tid tid, const CallPoint& point, EndedCalls& ended);
  /// A thread returns from a function to its caller. No call in `ended.returned`: it began before tracing did.
  void leave(Tid tid, const CallPoint& point, EndedCalls& ended);
  /// A thread leaves a function by a tail jump: whatever it jumps to returns in its stead.
  void jumped(Tid tid, const CallPoint& point, EndedCalls& ended);
  /// The end of a frame's calls is unknown.
  void gone(Tid tid, uint64_t frame, EndedCalls& ended);
  /// The stack pointer was seen here, outside of any entry or return.
  void seen_at(Tid tid, uint64_t sp, EndedCalls& ended);

  /// Calls that had begun when tracing did, outermost first, found by walking the thread's stack; the thread has no
  /// other event yet.
  void adopt(Tid tid, std::span<const CallPoint> calls);
  /// fork(2), vfork(2): the child has its parent's open calls, with the same ids. A new thread has none: no event.
  void forked(Tid parent, Tid child);
  /// The thread is gone, or executes another program.
  void ended(Tid tid, EndedCalls& ended);

  /// The calls a thread is in, by their frames: on each stack the outermost comes first.
  auto active(Tid tid) const { return calls_of(tid) | std::views::values; }
  /// The calls of one frame: a call, and the ones that took over its frame by a jump.
  auto at(Tid tid, uint64_t frame) const {
    auto [first, last] = calls_of(tid).equal_range(frame);
    return std::ranges::subrange(first, last) | std::views::values;
  }

 private:
  /// By frame, descending; those of one frame are in the order of their entries. Thousands of coroutines are in calls
  /// at once: one comes and goes in the middle.
  using Calls = std::multimap<uint64_t, ActiveCall, std::greater<>>;
  struct CallPlace {
    uint64_t frame, id;
  };
  struct Thread {
    Calls calls;
    size_t look_at = kMaxLeft;         ///< so many calls: it is time to see whether too many were left
    std::vector<CallPlace> elsewhere;  ///< calls that run on other stacks, or never return; some may have ended
    size_t prune_at = kMinPruned;      ///< with so many of them those that ended are dropped
  };
  static constexpr size_t kMaxLeft = 65536;
  static constexpr size_t kMinPruned = 64;
  const Calls& calls_of(Tid tid) const;
  void drop_below(Tid tid, Thread& thread, uint64_t sp, EndedCalls& ended);
  static bool lasts(const Thread& thread, const CallPlace& place);
  static void add_elsewhere(Thread& thread, const CallPlace& place);
  static uint64_t newest_elsewhere(Thread& thread);
  void drop_oldest_below(Thread& thread, uint64_t sp, EndedCalls& ended);
  uint32_t depth(Tid tid, const Calls& calls, Calls::const_iterator at, uint64_t sp) const;

  Stacks* stacks_;
  std::unordered_map<int32_t, Thread> threads_;
  uint64_t last_id_ = 0;
};

}  // namespace strut
