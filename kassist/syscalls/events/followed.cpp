#include "kassist/syscalls/events/followed.hpp"

#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

#include "procfs/process_status.hpp"

namespace strut {

bool lives(const FollowedThread& thread) {
  if (::syscall(SYS_tgkill, raw(thread.pid), raw(thread.tid), 0) != 0 && errno == ESRCH) return false;
  auto status = process_status(thread.tid);
  return status && status->state != 'Z' && status->state != 'X';
}

}  // namespace strut
