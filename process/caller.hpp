// The user that runs strut, as opposed to the privileges that the file gives it (set-user-ID, file capabilities).
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

/// The facts about a tracer in ptrace(2), "Ptrace access mode checking".
struct Caller {
  uint32_t uid = 0;             ///< real
  uint32_t gid = 0;             ///< real
  uint64_t capabilities = 0;    ///< permitted, but for those that the file gave
  uint64_t user_namespace = 0;  ///< inode of /proc/self/ns/user
  /// False: it has CAP_SYS_PTRACE by itself, and may trace every process. True: strut shows and touches only processes
  /// that the kernel would let this user trace.
  bool is_restricted = false;

  static Caller of_this_process();
};

/// The first thing that strut does: user and group IDs become the caller's, and of the capabilities that the file gave
/// those stay that tracing needs. Files are opened and programs executed as the caller from then on. Error: the process
/// must not go on.
Result<void> become_caller();

/// Gives up the capabilities that become_caller() has kept, in this thread, which must be the only one. Without effect
/// on a caller that has its capabilities by itself.
void drop_file_capabilities();

/// Whether there is something that drop_file_capabilities() would give up.
bool has_file_capabilities();

/// Whether a restricted caller may trace the process (PTRACE_MODE_ATTACH, with Yama); others may.
Result<void> check_may_trace(Pid pid);

/// Whether a restricted caller may trace processes that nothing names: all of its own. With Yama it may not.
Result<void> check_may_trace_unnamed();

/// kernel.yama.ptrace_scope, as far as it restricts this caller; 0: it does not, or there is no Yama.
int yama_scope_for_caller();

/// An environment variable that would change strut's own behaviour: nullptr where the file gives it privileges
/// (secure_getenv(3)). Never empty.
const char* trusted_variable(const char* name);

}  // namespace strut
