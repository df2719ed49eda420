// The kernel assist: tracing by eBPF programs, without stopping the target.
#pragma once

#include <memory>

#include "kassist/functions/cost_warning.hpp"
#include "trace/backend.hpp"
#include "trace/brake.hpp"
#include "trace/launch_watch.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// How records get from the kernel to us.
struct Transport {
  uint32_t ring_bytes = 0;          ///< a power of two, of pages; 0: as fits the request
  uint32_t stack_bytes = 64 << 10;  ///< for each requested user stack; at most WIRE_STACK_MAX, except with frames_only
  bool frames_only =
      false;  ///< for a stack only the frames that frame pointers lead to; stack_bytes is how far they may lead
  MakeBrake make_brake;               ///< empty: records without room are lost, and counted
  UprobeCostText uprobe_cost_text;    ///< for code that comes later; empty: the cost was reported before
  MakeLaunchWatch make_launch_watch;  ///< for requests with functions; empty: calls that are made at once may be missed
};

/// `unwinder`: for requests that want stacks; nullptr: there are none then.
std::unique_ptr<Backend> make_kassist_backend(Transport transport, std::unique_ptr<Unwinder> unwinder);

}  // namespace strut
