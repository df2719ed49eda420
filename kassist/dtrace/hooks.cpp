#include "kassist/dtrace/hooks.hpp"

#include <cerrno>
#include <string>

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/caller.hpp"

namespace strut {

namespace {

/// The part of union bpf_attr that BPF_RAW_TRACEPOINT_OPEN reads since Linux 6.10; Debian 12's header ends before the
/// cookie.
struct RawTracepoint {
  uint64_t name;
  uint32_t program, unused;
  uint64_t cookie;
};

Error cannot(std::string op, int error) {
  std::string advice = error == EMFILE                     ? "more descriptors are needed: ulimit -n"
                       : error == EPERM || error == EACCES ? "kassist needs CAP_BPF and CAP_PERFMON; see strut doctor"
                                                           : "";
  return {error, std::move(op), {}, {}, std::move(advice)};
}

/// A timer of one CPU, which runs while the CPU is idle, too. Below 0: -errno.
int open_timer(int cpu, uint64_t interval_ns) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.sample_period = interval_ns;
  int event = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
  return event < 0 ? -errno : event;
}

}  // namespace

/// Slow hooks come first, and returns before entries: of a call that begins meanwhile only the return is seen, as of a
/// call that had begun before, and never only the entry.
Result<void> DHooks::attach(DKernelProgram& program) {
  std::vector<DHook> hooks = program.hooks();
  std::erase_if(hooks, [](DHook hook) { return tracepoint_of(hook).empty(); });
  for (DHook hook : hooks) TRY_VOID(program.program(hook));
  for (size_t i = hooks.size(); i-- > 0;) {
    DHook hook = hooks[i];
    std::string name(tracepoint_of(hook));
    std::optional<int> now = TRY(program.program(hook));
    Hook& at = hooks_[static_cast<size_t>(hook)];
    if (!now || at.program == *now) continue;
    if (hook == DHook::SyscallEntry) program.control().entries_are_unseen();
    at.link = OwnedFd();
    OwnedFd link(bpf_raw_tracepoint_open(name.c_str(), *now));
    if (!link) return fail(cannot("attach a BPF program to the tracepoint " + name, -link.number()));
    at = {*now, std::move(link)};
    if (hook == DHook::SyscallEntry) program.control().entries_are_seen();
  }
  return {};
}

Result<void> DHooks::add_profile(DKernelProgram& program, uint32_t probe, uint64_t interval_ns) {
  uint64_t cookie = TRY(program.profile_cookie(probe));
  std::optional<int> clauses = TRY(program.program(DHook::Profile));
  if (!clauses) return {};
  auto cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu = 0; cpu < cpus; cpu++) {
    OwnedFd event(open_timer(cpu, interval_ns));
    if (event.number() == -ENODEV) continue;  // the CPU is offline
    if (!event) return fail(cannot("perf_event_open", -event.number()));
    bpf_link_create_opts options{};
    options.sz = sizeof options;
    options.perf_event.bpf_cookie = cookie;
    OwnedFd link(bpf_link_create(*clauses, event.number(), BPF_PERF_EVENT, &options));
    if (!link) return fail(cannot("attach a BPF program to a CPU's timer", -link.number()));
    links_.push_back(std::move(link));
  }
  return {};
}

Result<void> DHooks::add_tracepoint(DKernelProgram& program, uint32_t probe, const DTrigger::Tracepoint& at) {
  if (Caller::of_this_process().is_restricted)
    return fail({EPERM, "enable the tracepoint " + at.name, {}, "tracepoints are for root alone", {}});
  std::optional<int> clauses = TRY(program.program(DHook::Tracepoint));
  if (!clauses) return {};
  RawTracepoint attributes{.name = reinterpret_cast<uint64_t>(at.name.c_str()),
                           .program = static_cast<uint32_t>(*clauses),
                           .unused = 0,
                           .cookie = DKernelProgram::tracepoint_cookie(probe, at)};
  auto opened = ::syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attributes, sizeof attributes);
  OwnedFd link(opened < 0 ? -errno : static_cast<int>(opened));
  if (link.number() == -E2BIG)
    return fail({E2BIG, "attach a BPF program to the tracepoint " + at.name, {}, "this needs Linux 6.10", {}});
  if (!link) return fail(cannot("attach a BPF program to the tracepoint " + at.name, -link.number()));
  links_.push_back(std::move(link));
  return {};
}

void DHooks::detach() {
  links_.clear();
  for (Hook& hook : hooks_) hook = {};
}

}  // namespace strut
