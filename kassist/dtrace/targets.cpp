#include "kassist/dtrace/targets.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"

namespace strut {

namespace {

bool has_ended(const OwnedFd& pidfd) {
  pollfd end{pidfd.number(), POLLIN, 0};
  return ::poll(&end, 1, 0) == 1;
}

}  // namespace

Result<void> DTargets::add(Pid pid, Parent parent) {
  OwnedFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, raw(pid), 0)));
  if (!pidfd)
    return fail({errno,
                 "pidfd_open",
                 std::to_string(raw(pid)),
                 {},
                 errno == EMFILE ? "more descriptors are needed: ulimit -n" : ""});
  TRY_VOID(wait_.listen_to(pidfd.number()));
  targets_.push_back({pid, std::move(pidfd), parent});
  return {};
}

bool DTargets::has(Pid pid) const { return std::ranges::find(targets_, pid, &Target::pid) != targets_.end(); }

std::vector<DTargets::Ended> DTargets::take_ended() {
  std::vector<Ended> ended;
  std::erase_if(targets_, [&](const Target& target) {
    if (!has_ended(target.pidfd)) return false;
    int status = -1;
    if (target.parent == Parent::Strut && ::waitpid(raw(target.pid), &status, WNOHANG) <= 0) status = -1;
    ended.push_back({target.pid, status, monotonic_ns()});
    return true;
  });
  return ended;
}

}  // namespace strut
