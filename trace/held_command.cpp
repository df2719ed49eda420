#include "trace/held_command.hpp"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/accounts.hpp"
#include "process/caller.hpp"
#include "process/tracer_process.hpp"

namespace strut {

namespace {

/// Null-terminated pointers to strings, as execve wants them.
std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct Pipe {
  int out = -1;
  int in = -1;
};

Result<Pipe> open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail({errno, "pipe2", {}, {}, {}});
  return Pipe{ends[0], ends[1]};
}

/// Until no process has the pipe open for writing.
void await_end(const Pipe& pipe) {
  ::close(pipe.in);
  char byte;
  while (::read(pipe.out, &byte, 1) < 0 && errno == EINTR) {
  }
  ::close(pipe.out);
}

bool wait_for_release(const Pipe& gate) {
  ::close(gate.in);
  char byte;
  ssize_t got;
  do got = ::read(gate.out, &byte, 1);
  while (got < 0 && errno == EINTR);
  ::close(gate.out);
  return got == 1;
}

bool change_user(const Launch::User& user) {
  bool grouped = user.name.empty() ? ::setgroups(0, nullptr) == 0 : take_groups_of(user.name, user.gid);
  return grouped && ::setregid(user.gid, user.gid) == 0 && ::setreuid(user.uid, user.uid) == 0;
}

/// The data of the command's process around its execve.
struct Words {
  const std::function<void()>& last;
  const std::function<void(int)>& refused;
};

[[noreturn]] void become(const Launch& command, const Words& words, const Pipe& gate) {
  std::vector<char*> argv = pointers_to(command.argv);
  std::vector<char*> changed;
  if (command.environment) changed = pointers_to(*command.environment);
  drop_file_capabilities();
  if (command.user && !change_user(*command.user)) ::_exit(1);
  if (!wait_for_release(gate)) ::_exit(1);
  if (words.last) words.last();
  ::execve(command.path.c_str(), argv.data(), command.environment ? changed.data() : environ);
  if (words.refused) words.refused(errno);
  ::_exit(1);
}

/// Leaves this process to the command and goes on, as the tracer, in its grandchild.
Result<Pid> trade_places(const TraceRequest& request, const Words& words, const Pipe& gate) {
  Pid command_pid{::getpid()};
  // Yama lets only ancestors attach, unless the tracee says otherwise; a kernel without Yama refuses the word.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  pid_t between = ::fork();
  if (between < 0) return fail({errno, "fork", {}, {}, {}});
  if (between > 0) {
    int status;
    while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    become(*request.launch, words, gate);
  }
  pid_t tracer = ::fork();
  if (tracer != 0) ::_exit(0);
  if (request.daemon == TraceRequest::Daemon::ProcessGroup) ::setpgid(0, 0);
  if (request.daemon == TraceRequest::Daemon::Session) ::setsid();
  // The death would kill a target with breakpoints: killing by name must not reach it (process/tracer_process.hpp).
  if (request.functions) ::prctl(PR_SET_NAME, "guardian");
  return command_pid;
}

Result<Pid> fork_command(const TraceRequest& request, const Words& words, const Pipe& gate) {
  Pipe ready = has_file_capabilities() ? TRY(open_pipe()) : Pipe{};
  pid_t child = ::fork();
  if (child < 0) return fail({errno, "fork", {}, {}, {}});
  if (child == 0) {
    // The tracer may give them up, and could not seize a process that has them.
    drop_file_capabilities();
    if (ready.in >= 0) ::close(ready.in);
    if (int32_t group = TracerProcess::home_group(); group != 0) ::setpgid(0, group);
    become(*request.launch, words, gate);
  }
  if (ready.in >= 0) await_end(ready);
  return Pid{child};
}

}  // namespace

Result<HeldCommand> HeldCommand::fork(const TraceRequest& request, const std::function<void()>& last_words,
                                      const std::function<void(int)>& refused) {
  Words words{last_words, refused};
  Pipe gate = TRY(open_pipe());
  HeldCommand held;
  held.gate_ = gate.in;
  held.is_child_ = request.daemon == TraceRequest::Daemon::No;
  Result<Pid> pid = held.is_child_ ? fork_command(request, words, gate) : trade_places(request, words, gate);
  ::close(gate.out);
  held.pid_ = TRY(pid);
  return held;
}

HeldCommand::HeldCommand(HeldCommand&& other) noexcept
    : pid_(other.pid_), is_child_(other.is_child_), gate_(other.gate_) {
  other.gate_ = -1;
}

HeldCommand::~HeldCommand() {
  if (gate_ >= 0) ::close(gate_);
}

void HeldCommand::release() { [[maybe_unused]] ssize_t written = ::write(gate_, "", 1); }

}  // namespace strut
