// A sink in front of a format's: turns the hits that backends report into entries and returns of calls.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "libcalls/arming/call_points.hpp"
#include "libcalls/modules/named_context.hpp"
#include "libcalls/pairing/call_threads.hpp"
#include "libcalls/pairing/call_values.hpp"
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
      : points_(points), limits_(limits), next_(next), threads_(&points.stacks()) {}

  Result<void> begin(std::string_view backend) override { return next_.begin(backend); }
  Result<void> take(const Event& event) override;
  Result<void> flush() override { return next_.flush(); }
  void gather() override { next_.gather(); }
  Result<void> finish() override { return next_.finish(); }

 private:
  struct Frame {
    uint64_t at, returns_to;
  };
  Result<void> hit(const Event& event, const FunctionHit& hit);
  Result<void> entered(const Event& event, const FunctionHit& hit, CallThread& thread);
  Result<void> report_entry(const Event& event, const FunctionHit& hit, OpenCall& open);
  Result<void> returned(const Event& event, const FunctionHit& hit, CallThread& thread);
  bool has_returned(const FunctionHit& hit, const CallThread& thread) const;
  Result<void> began_before(const Event& event, const FunctionHit& hit);
  Result<void> give_up(const Event& event, const FunctionHit& hit, CallThread& thread);
  Result<void> abandoned(const Event& event, const std::vector<ActiveCall>& calls, CallThread& thread);
  Result<void> report_return(const Event& event, OpenCall& open);
  Result<void> come_back(const Event& event, const OpenCall& jump, CallThread& thread);
  const CallVerdict& verdict(const Event& event, const FunctionHit& hit, CallThread& thread, const ActiveCall* jumper,
                             const SeenJump* outward);
  bool is_jumped_to_from_unreported(const Event& event, const FunctionHit& hit, CallThread& thread);
  const ActiveCall* taken_over(const Event& event, const FunctionHit& hit, CallThread& thread, uint64_t code);
  bool may_be_called_anew(const Event& event, const FunctionHit& hit, const CallThread& thread) const;
  bool is_same_call(const FunctionHit& hit, const CallThread& thread, const SiteOwner& owner) const;
  bool is_others_to_end(const FunctionHit& hit, const CallThread& thread) const;
  bool is_reported(const ActiveCall& call);
  void fill(OpenCall& open, const Event& event, Frame frame, const CallVerdict& verdict, const ActiveCall& active);

  Pairing& pairing() { return threads_.pairing(); }
  const Pairing& pairing() const { return threads_.pairing(); }

  CallPoints& points_;
  const CallLimits limits_;
  Sink& next_;
  CallThreads threads_;
  CallValues values_;
  EndedCalls ended_;
  std::unordered_map<uint64_t, uint64_t> counts_;  ///< by code: reported calls, for `first`
};

}  // namespace strut
