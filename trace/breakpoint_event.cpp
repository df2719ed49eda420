#include "trace/breakpoint_event.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "procfs/process_status.hpp"

namespace strut {
namespace {

constexpr const char* kOpened = "watch memory";
constexpr uint64_t kExecuteBytes =
    sizeof(long);  ///< hw_breakpoint.c, arch_build_bp_info(): no other length is accepted

uint32_t type_of(WatchAccess access) {
  switch (access) {
    case WatchAccess::Write: return HW_BREAKPOINT_W;
    case WatchAccess::Execute: return HW_BREAKPOINT_X;
    case WatchAccess::Read:
    case WatchAccess::ReadWrite: break;
  }
  return HW_BREAKPOINT_RW;
}

/// A place that the calling thread alone writes.
alignas(8) thread_local volatile uint64_t probed_word = 0;

}  // namespace

OwnedFd open_breakpoint(const BreakpointRequest& request) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.bp_type = type_of(request.range.access);
  attributes.bp_addr = request.range.address;
  attributes.bp_len = request.range.access == WatchAccess::Execute ? kExecuteBytes : request.range.bytes;
  attributes.sample_period = 1;
  attributes.inherit = request.inherits;
  attributes.exclude_kernel = attributes.exclude_hv = 1;
  attributes.remove_on_exec = 1;
  attributes.sigtrap = request.signal_data != 0;
  attributes.sig_data = request.signal_data;
  long event = ::syscall(SYS_perf_event_open, &attributes, raw(request.tid), -1, -1, PERF_FLAG_FD_CLOEXEC);
  return OwnedFd(event < 0 ? -errno : static_cast<int>(event));
}

std::optional<uint64_t> hits_of(const OwnedFd& event) {
  uint64_t hits = 0;
  if (::read(event.number(), &hits, sizeof hits) != sizeof hits) return std::nullopt;
  return hits;
}

Error why_no_breakpoint(int error, Pid pid) {
  std::string process = pid == Pid{} ? "" : "process " + std::to_string(raw(pid));
  switch (error) {
    case ENOSPC: {
      auto status = process_status(pid == Pid{} ? Tid{::getpid()} : leader_of(pid));
      std::string holder = status && status->tracer != 0 && status->tracer != ::gettid()
                               ? "; its tracer, " + std::to_string(status->tracer) + ", may hold them"
                               : "; another perf event or debugger holds them";
      return {error, kOpened, process, "no debug register is free" + holder, {}};
    }
    case EACCES:
    case EPERM:
      return {error, kOpened, process, "perf events are not permitted to this user",
              "kernel.perf_event_paranoid of 2 or less permits them for one's own processes"};
    case EINVAL:
    case E2BIG: return {error, kOpened, process, "this kernel's perf events cannot", "Linux 5.13 or newer is needed"};
    case ENOENT:
    case EOPNOTSUPP: return {error, kOpened, process, "this kernel has no hardware breakpoints", {}};
    default: return {error, kOpened, process, {}, {}};
  }
}

std::optional<Error> breakpoint_obstacle(size_t registers) {
  BreakpointRequest request;
  request.range = {reinterpret_cast<uint64_t>(&probed_word), sizeof probed_word, WatchAccess::Write};
  std::vector<OwnedFd> events;
  for (size_t i = 0; i < registers; i++) {
    events.push_back(open_breakpoint(request));
    if (!events.back()) return why_no_breakpoint(-events.back().number(), {});
  }
  uint64_t before = hits_of(events.front()).value_or(0);
  probed_word = probed_word + 1;
  if (hits_of(events.front()) == before + 1) return std::nullopt;
  return Error{0,
               kOpened,
               {},
               "the processor of this machine, a virtual one perhaps, does not report hits of debug registers",
               {}};
}

Finding check_breakpoints() {
  Finding finding{"watchpoints of memory, by either backend (debug registers)", Finding::State::Works, false, {}, {}};
  if (auto obstacle = breakpoint_obstacle(1)) {
    finding.state = Finding::State::Missing;
    finding.why = obstacle->why.empty() ? std::strerror(obstacle->code) : obstacle->why;
    finding.advice = obstacle->advice;
  }
  return finding;
}

}  // namespace strut
