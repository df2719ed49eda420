// A sink in front of a format's: turns the hits that backends report into entries and returns of calls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "libcalls/arming/call_points.hpp"
#include "libcalls/modules/named_context.hpp"
#include "libcalls/modules/stack_places.hpp"
#include "libcalls/pairing/pairing.hpp"
#include "trace/sink.hpp"

namespace strut {

/// The reported calls among those that count.
struct CallLimits {
  uint32_t depth = 0;  ///< deeper nested calls are not reported; 0: all are
  uint64_t first = 0;  ///< for each function so many; 0: all
};

/// Everything that is no hit passes through. `points` and `next` outlive it.
class CallAssembler final : public Sink {
 public:
  CallAssembler(CallPoints& points, CallLimits limits, Sink& next)
      : points_(points), limits_(limits), next_(next), stacks_(&points.stacks()), pairing_(&stacks_) {}

  Result<void> take(const Event& event) override;
  Result<void> flush() override { return next_.flush(); }
  void gather() override { next_.gather(); }
  Result<void> finish() override { return next_.finish(); }

 private:
  /// A call from its entry on.
  struct Open {
    FunctionCall call;
    DecodedCall decoded;
    EntryRegisters registers;
    std::vector<Value> as_decoded;  ///< arguments of calls with values that people know, as the decoder has them
    bool is_reported = true;
    bool may_jump = false;  ///< the function does jump to others
    uint32_t function = 0;  ///< CallPoints::function()
  };
  /// A jump out of a module that the entry belongs to which comes next in its frame: a signal's handler may come
  /// between.
  struct Outward {
    uint64_t frame = 0, returns_to = 0;
    uint32_t site = 0;
    uint64_t code = 0;  ///< for the function that was entered so; 0: none yet
  };
  struct Frame {
    uint64_t at, returns_to;
  };
  /// A thread, or a goroutine: it has calls, on a stack of its own.
  struct Thread {
    Pid pid{};
    Tid number{};                  ///< a goroutine's is below 0
    bool by_request = false;       ///< it was running when tracing began: calls may have begun before
    std::vector<Outward> outward;  ///< a few, the latest last; one for a frame
    /// Frames of functions that may jump to others, and that have calls that do not count, descending.
    std::vector<uint64_t> unreported;
    uint64_t ended_frame = 0;  ///< for the calls that returned last, if nothing was entered since
    std::unordered_map<uint64_t, std::unique_ptr<Open>> open;  ///< by ActiveCall::id
    /// Calls that the thread may jump back to, by their first argument (ReturnWay::Again).
    std::unordered_map<uint64_t, std::unique_ptr<Open>> marks;
  };

  Result<void> hit(const Event& event, const FunctionHit& hit);
  Result<void> entered(const Event& event, const FunctionHit& hit, Thread& thread);
  Result<void> report_entry(const Event& event, const FunctionHit& hit, Open& open);
  Result<void> returned(const Event& event, const FunctionHit& hit, Thread& thread);
  bool has_returned(const FunctionHit& hit, const Thread& thread) const;
  Result<void> began_before(const Event& event, const FunctionHit& hit);
  Result<void> give_up(const Event& event, const FunctionHit& hit, Thread& thread);
  Result<void> abandoned(const Event& event, const std::vector<ActiveCall>& calls, Thread& thread);
  Result<void> report_return(const Event& event, Open& open);
  void mark(const Event& event, const Open& open, Thread& thread);
  void decode_results(const FunctionHit& hit, DecodeContext scene, Open& open);
  Result<void> come_back(const Event& event, const Open& jump, Thread& thread);
  bool has_known_values(const FunctionDesc& desc);
  void show_known(Open& open);
  const CallVerdict& verdict(const Event& event, const FunctionHit& hit, Thread& thread, const ActiveCall* jumper,
                             const Outward* outward);
  bool is_jumped_to_from_unreported(const Event& event, const FunctionHit& hit, Thread& thread);
  const ActiveCall* taken_over(const Event& event, const FunctionHit& hit, Thread& thread, uint64_t code);
  static const Outward* outward_to(const FunctionHit& hit, Thread& thread, uint64_t code);
  static void note_outward(const FunctionHit& hit, Thread& thread);
  static void forget_outward(Thread& thread, uint64_t frame);
  bool may_be_called_anew(const Event& event, const FunctionHit& hit, const Thread& thread) const;
  bool is_same_call(const FunctionHit& hit, const Thread& thread, const SiteOwner& owner) const;
  bool is_others_to_end(const FunctionHit& hit, const Thread& thread) const;
  bool is_reported(const ActiveCall& call);
  void fill(Open& open, const Event& event, Frame frame, const CallVerdict& verdict, const ActiveCall& active);

  void attached(const Event& event, const AttachedEvent& attached);
  static std::unique_ptr<Open> inherited(const Open& parents, const ThreadName& child);
  void forget(Tid tid);
  void forget_process(Pid pid);
  void forget_goroutines(Pid pid);
  Thread& thread_of(const Event& event);
  Thread& thread_or_goroutine(const Event& event, const FunctionHit& hit);
  Open& put_open(Thread& thread, uint64_t id);
  std::unique_ptr<Open> take_open(Thread& thread, uint64_t id);

  CallPoints& points_;
  const CallLimits limits_;
  Sink& next_;
  StackPlaces stacks_;
  Pairing pairing_;
  EndedCalls ended_;
  std::unordered_map<int32_t, Thread> threads_;             ///< by number
  std::map<std::pair<int32_t, uint64_t>, Tid> goroutines_;  ///< by process and address
  int32_t last_goroutine_ = 0;
  std::unordered_map<uint64_t, uint64_t> counts_;  ///< by code: reported calls, for `first`
  std::vector<std::unique_ptr<Open>> spare_;
  std::unordered_map<const FunctionDesc*, bool> knows_;  ///< has_known_values()
};

}  // namespace strut
