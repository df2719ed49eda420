#include "cli/backend_choice.hpp"

#include <algorithm>

#include "core/caller.hpp"
#include "core/proc/process_status.hpp"
#include "kassist/kassist_backend.hpp"
#include "kassist/support.hpp"
#include "kassist/uprobe_removal.hpp"
#include "ptrace/brake.hpp"
#include "ptrace/launch_watch.hpp"
#include "ptrace/ptrace_backend.hpp"
#include "ustack/cfi_unwinder.hpp"

namespace strut {
namespace {

/// From this many processes on, stopping each of them at each call is dearer than loading the programs.
constexpr size_t kMany = 4;

bool changes_target(const TraceRequest& request) {
  return !request.injections.empty() || request.seccomp_filter || request.kill_on_exit || !request.stop_on.nothing();
}

bool held_by_a_tracer(Pid pid) {
  auto status = process_status(leader_of(pid));
  return status && status->tracer != 0;
}

}  // namespace

BackendChoice choose(BackendChoice wish, const TraceRequest& request) {
  if (wish != BackendChoice::Auto) return wish;
  if (request.everybody) return BackendChoice::Kassist;
  // A call of a function costs a stopped thread fifty times what it costs in the kernel.
  bool fits = request.functions != nullptr || request.attach.size() >= kMany ||
              std::ranges::any_of(request.attach, held_by_a_tracer);
  bool can = fits && !changes_target(request) && !kassist_obstacle() && !(request.functions && uprobe_obstacle());
  return can ? BackendChoice::Kassist : BackendChoice::Ptrace;
}

Result<std::unique_ptr<Backend>> make_backend(BackendChoice choice, const OwnOptions& own,
                                              const TraceRequest& request) {
  if (choice != BackendChoice::Kassist && request.everybody)
    return fail(
        {0, "ptrace", {}, "it traces processes that are named: --all needs kassist", "Leave out --backend=ptrace"});
  auto unwinder = request.stack_frames != 0
                      ? make_cfi_unwinder(request.stack_lines ? FrameDetail::Lines : FrameDetail::Functions)
                      : nullptr;
  if (choice != BackendChoice::Kassist) {
    drop_file_capabilities();  // the kernel decides by the caller's own what may be traced
    return make_ptrace_backend(std::move(unwinder));
  }
  if (changes_target(request))
    return fail(
        {0,
         "kassist",
         {},
         "it only watches: --inject, --fault, --seccomp-bpf, --kill-on-exit and truss's -T, -S, -M and -U need ptrace",
         "Leave out --backend=kassist"});
  Transport transport{own.ring_bytes, own.stack_bytes, own.frames_only, {}, {}};
  if (own.brake) transport.make_brake = make_ptrace_brake;
  transport.make_launch_watch = make_launch_watch;
  return make_kassist_backend(std::move(transport), std::move(unwinder));
}

}  // namespace strut
