#include "ptrace/launch.hpp"

#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ptrace/control.hpp"
#include "ptrace/seccomp_filter.hpp"

namespace strut {

namespace {

using Filter = std::vector<sock_filter>;

/// Null-terminated pointers to strings, as execve wants them.
std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// A pipe through which the tracer says "go on" once; closed, it says "give up".
class Gate {
 public:
  static Result<Gate> open() {
    Gate gate;
    if (::pipe2(gate.ends_, O_CLOEXEC) != 0) return fail({errno, "pipe2", {}, {}, {}});
    return gate;
  }
  Gate(Gate&& other) noexcept : ends_{other.ends_[0], other.ends_[1]} { other.ends_[0] = other.ends_[1] = -1; }
  Gate& operator=(Gate&&) = delete;
  ~Gate() {
    close_end(0);
    close_end(1);
  }

  bool wait_until_open() {
    close_end(1);
    char byte;
    ssize_t got;
    do got = ::read(ends_[0], &byte, 1);
    while (got < 0 && errno == EINTR);
    close_end(0);
    return got == 1;
  }
  void open_up() {
    [[maybe_unused]] ssize_t written = ::write(ends_[1], "", 1);
  }

 private:
  Gate() = default;
  void close_end(int end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  int ends_[2] = {-1, -1};
};

bool change_user(const Launch::User& user) {
  int groups = user.name.empty() ? ::setgroups(0, nullptr) : ::initgroups(user.name.c_str(), user.gid);
  return groups == 0 && ::setregid(user.gid, user.gid) == 0 && ::setreuid(user.uid, user.uid) == 0;
}

/// Stops for the tracer, and tells it by the signal's si_code whether the filter is in force.
void announce(const Filter& filter) {
  pid_t self = ::getpid();
  if (!filter.empty() && install_seccomp(filter)) ::syscall(SYS_tgkill, self, self, SIGSTOP);
  else ::kill(self, SIGSTOP);
}

[[noreturn]] void become(const Launch& command, const Filter& filter, Gate& gate) {
  std::vector<char*> argv = pointers_to(command.argv);
  std::vector<char*> changed;
  if (command.environment) changed = pointers_to(*command.environment);
  if (command.user && !change_user(*command.user)) ::_exit(1);
  if (!gate.wait_until_open()) ::_exit(1);
  announce(filter);
  ::execve(command.path.c_str(), argv.data(), command.environment ? changed.data() : environ);
  ::_exit(1);
}

/// Leaves this process to the command and goes on, as the tracer, in its grandchild.
Result<Pid> trade_places(const Launch& command, TraceRequest::Daemon daemon, const Filter& filter, Gate& gate) {
  Pid command_pid{::getpid()};
  // Yama lets only ancestors attach, unless the tracee says otherwise; a kernel without Yama refuses the word.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  pid_t between = ::fork();
  if (between < 0) return fail({errno, "fork", {}, {}, {}});
  if (between > 0) {
    int status;
    while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    become(command, filter, gate);
  }
  pid_t tracer = ::fork();
  if (tracer != 0) ::_exit(0);
  if (daemon == TraceRequest::Daemon::ProcessGroup) ::setpgid(0, 0);
  if (daemon == TraceRequest::Daemon::Session) ::setsid();
  return command_pid;
}

Result<Pid> fork_command(const Launch& command, const Filter& filter, Gate& gate) {
  pid_t child = ::fork();
  if (child < 0) return fail({errno, "fork", {}, {}, {}});
  if (child == 0) become(command, filter, gate);
  return Pid{child};
}

}  // namespace

Result<Launched> launch(const TraceRequest& request, unsigned seize_options, const Filter& filter) {
  Gate gate = TRY(Gate::open());
  bool is_child = request.daemon == TraceRequest::Daemon::No;
  Pid pid = TRY(is_child ? fork_command(*request.launch, filter, gate)
                         : trade_places(*request.launch, request.daemon, filter, gate));
  if (int error = seize(leader_of(pid), seize_options)) {
    return fail({error, "ptrace(PTRACE_SEIZE)", std::to_string(raw(pid)), {}, {}});
  }
  gate.open_up();
  return Launched{pid, is_child};
}

}  // namespace strut
