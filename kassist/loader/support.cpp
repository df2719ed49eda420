#include "kassist/loader/support.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <bpf/libbpf.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/loader/programs.hpp"
#include "process/caller.hpp"
#include "procfs/pid_namespace.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/proc_root.hpp"

namespace strut {

namespace {

using State = Finding::State;

constexpr Release kOldest{5, 15};
constexpr const char* kTypes = "/sys/kernel/btf/vmlinux";
constexpr const char* kPtraceWorks = "--backend=ptrace needs none of it";

/// The effective capabilities of this process; 0 if the kernel does not say.
uint64_t capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct words[2] = {};
  if (::syscall(SYS_capget, &header, words) != 0) return 0;
  return uint64_t{words[1].effective} << 32 | words[0].effective;
}

/// Names those of CAP_BPF and CAP_PERFMON that are lacking (capabilities(7): CAP_SYS_ADMIN stands for both).
std::string lacking_capabilities() {
  uint64_t have = capabilities();
  auto has = [&](int capability) { return (have >> capability & 1) != 0; };
  if (has(CAP_SYS_ADMIN)) return {};
  std::string lacking;
  if (!has(CAP_BPF)) lacking = "CAP_BPF";
  if (!has(CAP_PERFMON)) lacking += lacking.empty() ? "CAP_PERFMON" : " and CAP_PERFMON";
  return lacking;
}

Release running_release() {
  utsname system;
  return ::uname(&system) == 0 ? parse_release(system.release) : Release{};
}

/// kernel_lockdown(7): in confidentiality mode programs may not read memory.
bool locked_down() {
  auto text = read_proc_file("/sys/kernel/security/lockdown", 128);
  return text && text->find("[confidentiality]") != std::string::npos;
}

Finding finding(const char* feature, bool works, std::string why, std::string advice) {
  Finding found{feature, works ? State::Works : State::Missing, true, {}, {}};
  if (!works) {
    found.why = std::move(why);
    found.advice = std::move(advice);
  }
  return found;
}

Finding check_privileges() {
  std::string lacking = lacking_capabilities();
  return finding(
      "privileges (CAP_BPF, CAP_PERFMON)", lacking.empty(), "this process lacks " + lacking,
      "run strut as root, or give it both, for a group that is trusted: chgrp tracers strut; chmod 750 strut; "
      "setcap cap_bpf,cap_perfmon+ep strut");
}

/// A process that is root in a user namespace of its own has all capabilities there, and none for BPF.
Finding check_user_namespace() {
  return finding("privileges for the machine (its first user namespace)", capabilities_are_the_kernels().value_or(true),
                 "strut runs in a user namespace of its own, as in a rootless container: its capabilities end there",
                 "run strut outside of the container");
}

Finding check_release() {
  Release release = running_release();
  return finding("kernel (Linux 5.15)", release >= kOldest,
                 "this is Linux " + std::to_string(release.major) + "." + std::to_string(release.minor),
                 "use a newer kernel");
}

Finding check_lockdown() {
  return finding("reading memory (no lockdown)", !locked_down(), "the kernel is locked down (confidentiality)",
                 "boot without lockdown=confidentiality; see kernel_lockdown(7)");
}

Finding check_types() {
  return finding("the kernel's types (BTF)", ::access(kTypes, R_OK) == 0, std::string(kTypes) + ": " + strerror(errno),
                 "needs a kernel with CONFIG_DEBUG_INFO_BTF; Debian's have it");
}

/// Records have the ids of strut's pid namespace, and /proc is asked about them: others would name other processes, to
/// be read and stopped by mistake.
Finding check_pid_namespace() {
  bool is_known = own_pid_namespace() != 0;
  return finding("ids of processes (a procfs of strut's pid namespace)", is_known && proc_is_usable(),
                 is_known ? "/proc is another pid namespace's, and no procfs can be mounted for this one"
                          : "/proc/self/ns/pid cannot be read",
                 "mount a procfs on /proc");
}

/// Followed children are no descendants of strut's where it attached to their parent, and Yama lets these be traced,
/// too.
Finding check_yama() {
  constexpr int kOnlyAdministrators = 2;
  int scope = yama_scope_for_caller();
  return finding("tracing permitted (Yama)", scope < kOnlyAdministrators,
                 "kernel.yama.ptrace_scope is " + std::to_string(scope) + ": only root may trace",
                 "be root, or set kernel.yama.ptrace_scope to 0 or 1");
}

/// Each map, program and link is a file: an error in the middle of loading does not mention the limit.
Finding check_open_files() {
  constexpr rlim_t kNeeded = 64;
  rlimit limit;
  bool enough = ::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kNeeded;
  return finding("open files (RLIMIT_NOFILE)", enough,
                 "this process may have no more than " + std::to_string(enough ? 0 : limit.rlim_cur),
                 "ulimit -n " + std::to_string(kNeeded));
}

/// The checks that need only a few looks at the system.
constexpr Finding (*kLooks[])() = {
    check_privileges, check_user_namespace, check_release, check_lockdown,
    check_types,      check_pid_namespace,  check_yama,    check_open_files,
};

struct MapNeeded {
  bpf_map_type type;
  const char* feature;
  const char* since;
};
constexpr MapNeeded kMaps[] = {
    {BPF_MAP_TYPE_RINGBUF, "ring buffer", "needs Linux 5.8"},
    {BPF_MAP_TYPE_TASK_STORAGE, "marks on threads (task storage)",
     "needs Linux 5.11 and CONFIG_BPF_LSM or newer kernels"},
};

Finding check_map(const MapNeeded& map) {
  int supported = libbpf_probe_bpf_map_type(map.type, nullptr);
  return finding(map.feature, supported == 1, supported < 0 ? strerror(-supported) : "the kernel does not know it",
                 map.since);
}

Result<void> load_and_attach() {
  Programs programs = TRY(Programs::load({}));
  return programs.attach();
}

/// The proof: all of it loaded and attached, and how long that takes.
Finding check_programs() {
  uint64_t began = monotonic_ns();
  Result<void> attached = load_and_attach();
  uint64_t took_ns = monotonic_ns() - began;
  constexpr const char* kFeature = "the programs, loaded and attached";
  if (!attached)
    return finding(kFeature, false, describe({attached.error().code, attached.error().op, {}, {}, {}}), kPtraceWorks);
  Finding found = finding(kFeature, true, {}, {});
  char text[32];
  std::snprintf(text, sizeof(text), "in %.1f ms", static_cast<double>(took_ns) / 1e6);
  found.why = text;
  return found;
}

}  // namespace

Release parse_release(const char* text) {
  Release release;
  if (std::sscanf(text, "%d.%d", &release.major, &release.minor) != 2) return {};
  return release;
}

bool finds_areas() { return running_release() >= Release{5, 17}; }

std::optional<Error> kassist_obstacle() {
  for (auto* look : kLooks)
    if (Finding found = look(); found.state == State::Missing)
      return Error{0, "kassist", found.feature, found.why, found.advice + "; " + kPtraceWorks};
  return std::nullopt;
}

std::vector<Finding> check_kassist() {
  std::vector<Finding> findings;
  for (auto* look : kLooks) findings.push_back(look());
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& found) { return found.state == State::Missing; }))
    return findings;
  for (const MapNeeded& map : kMaps) findings.push_back(check_map(map));
  findings.push_back(check_programs());
  return findings;
}

}  // namespace strut
