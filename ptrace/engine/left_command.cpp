#include "ptrace/engine/left_command.hpp"

#include <cerrno>

#include <sys/wait.h>

#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"

namespace strut {

int wait_for_left(Pid command) {
  for (;;) {
    int status = 0;
    pid_t tid = ::waitpid(-1, &status, __WALL);
    if (tid < 0 && errno != EINTR) return 0;
    if (tid < 0) continue;
    if (WIFSTOPPED(status)) detach(Tid{tid}, pending_signal(classify(status)));
    else if (tid == raw(command)) return status;
  }
}

}  // namespace strut
