// The threads and goroutines of a trace, with the calls that they are in.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "libcalls/modules/stack_places.hpp"
#include "libcalls/pairing/seen_jumps.hpp"
#include "libcalls/pairing/pairing.hpp"
#include "syscalls/function.hpp"
#include "trace/event.hpp"

namespace strut {

/// A call from its entry on.
struct OpenCall {
  FunctionCall call;
  DecodedCall decoded;
  EntryRegisters registers;
  std::vector<Value> as_decoded;  ///< arguments of calls with values that people know, as the decoder has them
  bool is_reported = true;
  bool may_jump = false;  ///< the function does jump to others
  uint32_t function = 0;  ///< CallPoints::function()
};

/// The call as a child process has it after fork(2). The arguments are decoded anew should it return in the child:
/// values belong to their call alone.
std::unique_ptr<OpenCall> inherited(const OpenCall& parents, const ThreadName& child);

/// Calls that a thread may jump back to (ReturnWay::Again: setjmp(3)), by the buffer that is their first argument. The
/// latest ones.
class ReturnMarks {
 public:
  void put(uint64_t buffer, std::unique_ptr<OpenCall> call);
  /// nullptr: no call is known.
  OpenCall* find(uint64_t buffer);
  ReturnMarks inherited_by(const ThreadName& child) const;

 private:
  static constexpr size_t kMax = 256;
  struct Mark {
    uint64_t buffer;
    std::unique_ptr<OpenCall> call;
  };
  std::deque<Mark> marks_;  ///< the latest last
};

/// A thread, or a goroutine: it has calls, on a stack of its own.
struct CallThread {
  Pid pid{};
  Tid number{};             ///< a goroutine's is below 0
  bool by_request = false;  ///< the thread was running when tracing began: calls may have begun before
  SeenJumps outward;
  /// Frames of functions that may jump to others, and that have calls that do not count, descending.
  std::vector<uint64_t> unreported;
  uint64_t ended_frame = 0;  ///< for the calls that returned last, if nothing was entered since
  std::unordered_map<uint64_t, std::unique_ptr<OpenCall>> open;  ///< by ActiveCall::id
  ReturnMarks marks;
};

class CallThreads {
 public:
  /// `seen` outlives this.
  explicit CallThreads(const SeenStacks* seen) : stacks_(seen), pairing_(&stacks_) {}

  CallThread& of(const Event& event);
  /// The goroutine, where one runs: the calls are its own, whichever thread runs it.
  CallThread& of(const Event& event, const FunctionHit& hit);
  /// A thread begins. The parent's process, if it begins a process by fork(2), which has the parent's calls; else
  /// nullopt.
  std::optional<Pid> attached(const Event& event, const AttachedEvent& attached);
  void forget(Tid tid);
  void forget_process(Pid pid);
  void forget_goroutines(Pid pid);

  /// A call of the thread, which is to be filled in.
  OpenCall& put(CallThread& thread, uint64_t id);
  /// nullptr: the thread has no such call.
  std::unique_ptr<OpenCall> take(CallThread& thread, uint64_t id);
  /// The memory of a call that has ended is used again.
  void give_back(std::unique_ptr<OpenCall> ended) { spare_.push_back(std::move(ended)); }

  Pairing& pairing() { return pairing_; }
  const Pairing& pairing() const { return pairing_; }

 private:
  void inherit(CallThread& thread, const CallThread& parent, Tid parent_tid, const ThreadName& child);

  StackPlaces stacks_;
  Pairing pairing_;
  std::unordered_map<int32_t, CallThread> threads_;         ///< by number
  std::map<std::pair<int32_t, uint64_t>, Tid> goroutines_;  ///< by process and address
  int32_t last_goroutine_ = 0;
  std::vector<std::unique_ptr<OpenCall>> spare_;
};

}  // namespace strut
