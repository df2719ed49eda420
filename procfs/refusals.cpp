#include "procfs/refusals.hpp"

#include <unistd.h>

#include "procfs/proc_file.hpp"
#include "procfs/process_status.hpp"

namespace strut {

std::string permission_refusal(Pid pid) {
  std::string process = process_name(pid);
  std::string unknown = process +
                        " is protected by a security module, by a container's limits, or by capabilities that "
                        "strut lacks; try as root outside of containers, with CAP_SYS_PTRACE";
  if (::geteuid() == 0) return unknown;
  auto status = process_status(leader_of(pid));
  if (status && (status->uid != ::getuid() || status->effective_uid != ::getuid()))
    return process + " runs as user " + std::to_string(status->uid) + "; tracing it takes that user or root";
  auto yama = read_proc_file("/proc/sys/kernel/yama/ptrace_scope", 16);
  if (yama && !yama->starts_with('0'))
    return "kernel.yama.ptrace_scope lets only a parent trace: start the command with strut, be root, or set it to 0";
  return unknown;
}

}  // namespace strut
