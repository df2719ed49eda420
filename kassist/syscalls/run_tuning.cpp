#include "kassist/syscalls/run_tuning.hpp"

#include "kassist/loader/restriction.hpp"
#include "kassist/plans/around.hpp"
#include "kassist/transport/signal_state.hpp"
#include "kassist/uprobes/system_wide.hpp"

namespace strut {

namespace {

/// Processes that a system-wide trace excludes. Room for them takes the kernel half a millisecond.
constexpr uint32_t kMaxProcesses = 1 << 16;

/// The kernel takes a fifth of a millisecond for each megabyte of a ring, and the target fills caches with all of it. A
/// small one is enough where the brake can stop threads that fill it, and where no event is a quarter of it.
uint32_t ring_bytes_for(const TraceRequest& request, const Transport& transport) {
  constexpr uint32_t kSmall = 4 << 20, kLarge = 16 << 20;
  constexpr size_t kShortStrings = 4096;
  const DecodeOptions& decode = request.decode;
  bool brief = decode.max_string_bytes <= kShortStrings && decode.dump_reads.none() && decode.dump_writes.none() &&
               decode.abbreviate == SyscallSet::all() && request.stack_frames == 0;
  return brief && is_command_alone(request) && transport.make_brake ? kSmall : kLarge;
}

wire_follow children_of(const TraceRequest& request) {
  if (request.follow) return WIRE_FOLLOW_CHILDREN;
  return request.follow_threads ? WIRE_FOLLOW_THREADS : WIRE_FOLLOW_NONE;
}

}  // namespace

bool needs_calls(const TraceRequest& request) {
  return !request.functions || !request.calls.empty() || request.stack_frames != 0 || !request.detach_on.empty() ||
         request.system_wide;
}

bool is_command_alone(const TraceRequest& request) {
  return request.launch && request.attach.empty() && !request.system_wide;
}

Result<Tuning> tuning_for(const TraceRequest& request, const Transport& transport) {
  Tuning tuning;
  tuning.ring_bytes = transport.ring_bytes ? transport.ring_bytes : ring_bytes_for(request, transport);
  tuning.follow_children = children_of(request);
  tuning.around = surroundings_wanted(request);
  tuning.detach_on_exec = !request.detach_on.empty();
  tuning.measure_system_time = request.measure_system_time;
  tuning.return_times = request.need_return_times || request.measure_system_time;
  if (request.stack_frames != 0) {
    tuning.stack_bytes = transport.stack_bytes;
    tuning.frames_only = transport.frames_only;
    tuning.signal_state_bytes = signal_state_bytes();
  }
  tuning.seeds = request.system_wide ? kMaxProcesses : static_cast<uint32_t>(request.attach.size());
  tuning.alone =
      request.launch && !tuning.follow_children && !tuning.seeds && !request.functions && !restriction().is_restricted;
  tuning.call_hooks = request.launch || needs_calls(request);
  if (request.system_wide) tuning.choice = TRY(choice_of(*request.system_wide));
  return tuning;
}

}  // namespace strut
