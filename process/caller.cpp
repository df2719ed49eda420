#include "process/caller.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/owned_fd.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/refusals.hpp"

namespace strut {
namespace {

constexpr uint64_t bit(int capability) { return uint64_t{1} << capability; }
/// The needs of tracing in the kernel; CAP_SYS_NICE lets the consumer thread keep up with busy targets.
constexpr uint64_t kKept = bit(CAP_BPF) | bit(CAP_PERFMON) | bit(CAP_SYS_NICE);

struct Capabilities {
  uint64_t effective = 0, permitted = 0, inheritable = 0;
};

Capabilities own_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct words[2] = {};
  if (::syscall(SYS_capget, &header, words) != 0) return {};
  return {uint64_t{words[1].effective} << 32 | words[0].effective,
          uint64_t{words[1].permitted} << 32 | words[0].permitted,
          uint64_t{words[1].inheritable} << 32 | words[0].inheritable};
}

bool set(const Capabilities& wanted) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct words[2];
  for (int half = 0; half < 2; half++)
    words[half] = {static_cast<uint32_t>(wanted.effective >> 32 * half),
                   static_cast<uint32_t>(wanted.permitted >> 32 * half),
                   static_cast<uint32_t>(wanted.inheritable >> 32 * half)};
  return ::syscall(SYS_capset, &header, words) == 0;
}

/// The file gave this process IDs or capabilities that its caller, another user than root, does not have.
bool has_file_privileges() { return ::getauxval(AT_SECURE) != 0 && ::getuid() != 0; }

}  // namespace

Caller Caller::of_this_process() {
  Capabilities have = own_capabilities();
  bool own = !has_file_privileges();
  struct stat space{};
  if (::stat("/proc/self/ns/user", &space) != 0) space.st_ino = 0;
  return {::getuid(), ::getgid(), own ? have.permitted : 0, space.st_ino,
          !own || (have.effective & bit(CAP_SYS_PTRACE)) == 0};
}

Result<void> become_caller() {
  if (::getauxval(AT_SECURE) == 0) return {};
  Capabilities given = own_capabilities();
  bool is_root = ::getuid() == 0;
  if (::setresgid(::getgid(), ::getgid(), ::getgid()) != 0) return fail({errno, "setresgid", {}, {}, {}});
  ::prctl(PR_SET_KEEPCAPS, 1);
  if (::setresuid(::getuid(), ::getuid(), ::getuid()) != 0) return fail({errno, "setresuid", {}, {}, {}});
  ::prctl(PR_SET_KEEPCAPS, 0);
  if (!is_root && !set({given.effective & kKept, given.permitted & kKept, given.inheritable}))
    return fail({errno, "capset", {}, {}, {}});
  return {};
}

bool has_file_capabilities() { return has_file_privileges() && own_capabilities().permitted != 0; }

void drop_file_capabilities() {
  if (has_file_privileges()) set({0, 0, own_capabilities().inheritable});
}

Result<void> check_may_trace(Pid pid) {
  if (!Caller::of_this_process().is_restricted) return {};
  // The kernel asks for PTRACE_MODE_ATTACH when this file is opened (proc(5)).
  OwnedFd memory(::open(proc_path(raw(pid), "mem"), O_RDONLY | O_CLOEXEC));
  if (memory) return {};
  if (errno == EACCES || errno == EPERM) return fail({errno, "attach", {}, permission_refusal(pid), {}});
  return fail({errno == ENOENT ? ESRCH : errno, "attach", process_name(pid), {}, {}});
}

Result<void> check_may_trace_unnamed() {
  int scope = yama_scope_for_caller();
  if (scope == 0) return {};
  return fail({EPERM,
               "trace processes that are not named",
               {},
               "kernel.yama.ptrace_scope is " + std::to_string(scope) + ": only descendants of strut may be traced",
               "Be root, set it to 0, or use --backend=ptrace"});
}

int yama_scope_for_caller() {
  if (!Caller::of_this_process().is_restricted) return 0;
  auto scope = read_proc_file("/proc/sys/kernel/yama/ptrace_scope", 16);
  return scope ? std::atoi(scope->c_str()) : 0;
}

const char* trusted_variable(const char* name) {
  const char* value = ::secure_getenv(name);
  return value && *value ? value : nullptr;
}

}  // namespace strut
