// Looks at a tracer that follows a tracee, every few milliseconds: does it starve, or has it nothing to do?
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace strut {

/// The looks since the tracer began to follow.
class TracerLooks {
 public:
  static constexpr auto kEvery = std::chrono::milliseconds(4);
  enum class Verdict : uint8_t {
    GoesOn,
    HasNothingToDo,
    Starves,  ///< the tracer has waited too long for its CPU
  };
  explicit TracerLooks(pid_t tracer) : tracer_(tracer) {}

  /// One look, where the tracer is SCHED_IDLE. `others_run`: tracees other than the followed one are in user code.
  Verdict look_at_idle(pid_t followed, bool others_run);
  /// One look, where the tracee is pinned. `stops`: all that the tracer has seen.
  Verdict look_at_narrow(uint64_t stops);

 private:
  bool is_crowded();

  const pid_t tracer_;
  int starved_ = 0, idle_ = 0, quiet_ = 0, looks_ = 0;
  uint64_t stops_ = 0;
  uint64_t running_ns_ = 0;
  std::optional<uint64_t> waiting_ns_;
};

}  // namespace strut
