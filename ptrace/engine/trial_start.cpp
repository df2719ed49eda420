#include "ptrace/engine/trial_start.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/interruption.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/startup_linker.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"
#include "trace/held_command.hpp"
#include "trace/linker_breakpoint.hpp"

namespace strut {
namespace {

constexpr std::string_view kInt3 = "\xcc";
constexpr std::string_view kLinkerDoesMore[] = {"LD_AUDIT=", "LD_DEBUG=", "LD_PROFILE=", "LD_TRACE_LOADED_OBJECTS="};

bool linker_only_maps(const Launch& launch) {
  auto does_more = [](std::string_view variable) {
    return std::ranges::any_of(kLinkerDoesMore, [&](std::string_view name) { return variable.starts_with(name); });
  };
  if (launch.environment) return std::ranges::none_of(*launch.environment, does_more);
  for (char** variable = environ; *variable; variable++)
    if (does_more(*variable)) return false;
  return true;
}

/// In the trial's process, before its execve. A constructor may compute for ever without a system call.
void leave_no_trace() {
  constexpr rlimit kOneSecond{1, 1};
  ::setrlimit(RLIMIT_CPU, &kOneSecond);
  int null = ::open("/dev/null", O_RDWR);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
  if (null > STDERR_FILENO) ::close(null);
}

/// A trial from its execve to its end.
class Trial {
 public:
  explicit Trial(Pid command) : pid_(command), tid_(leader_of(command)) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    ::kill(raw(pid_), SIGKILL);
    while (::waitpid(raw(pid_), nullptr, __WALL) < 0 && errno == EINTR) {
    }
  }

  bool seize() { return strut::seize(tid_, PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0; }

  /// True: it stands with all that its linker has mapped.
  bool reaches_code() {
    for (;;) {
      std::optional<Waited> waited = wait_for(tid_);
      if (Interruption::caught() != 0 || (!waited && errno != EINTR)) return false;
      if (!waited) continue;
      Stop stop = classify(waited->status);
      if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) return false;
      switch (look_at(stop)) {
        case Seen::Nothing: restart(tid_, has_executed_ ? Restart::ToSyscall : Restart::Freely); break;
        case Seen::Code: return true;
        case Seen::Failure: return false;
      }
    }
  }

 private:
  enum class Seen : uint8_t { Nothing, Code, Failure };

  Seen look_at(const Stop& stop) {
    if (auto* event = std::get_if<EventStop>(&stop); event && event->event == PTRACE_EVENT_EXEC) return at_exec();
    if (auto* signal = std::get_if<SignalStop>(&stop)) return at_signal(signal->signal);
    SyscallInfo info{};
    bool is_call = std::holds_alternative<SyscallStop>(stop) && read_syscall_info(tid_, info);
    bool is_own = is_call && info.op == PTRACE_SYSCALL_INFO_ENTRY && linker_.is_left_by(info);
    return is_own ? Seen::Code : Seen::Nothing;
  }

  /// The first instruction of the program's own is replaced: the process is killed before it would run.
  Seen at_exec() {
    take(tid_);
    has_executed_ = true;
    SyscallInfo info{};
    if (!read_syscall_info(tid_, info) || info.arch != AUDIT_ARCH_X86_64) return Seen::Failure;
    linker_ = startup_linker(pid_, info.instruction_pointer);
    if (linker_.none()) return Seen::Code;
    std::optional<Addr> entry = program_entry(pid_);
    return entry && write_memory(tid_, *entry, kInt3) == kInt3.size() ? Seen::Nothing : Seen::Failure;
  }

  Seen at_signal(int signal) const {
    siginfo_t info{};
    bool is_entry = signal == SIGTRAP && read_siginfo(tid_, info) && is_of_int3(info);
    return is_entry ? Seen::Code : Seen::Failure;
  }

  Pid pid_;
  Tid tid_;
  StartupLinker linker_;
  bool has_executed_ = false;
};

}  // namespace

bool try_start(const Launch& launch, const std::function<void(Pid)>& look) {
  if (!linker_only_maps(launch)) return false;
  TraceRequest request;
  request.launch = launch;
  auto held = HeldCommand::fork(request, leave_no_trace);
  if (!held) return false;
  Trial trial(held->pid());
  if (!trial.seize()) return false;
  held->release();
  if (!trial.reaches_code()) return false;
  look(held->pid());
  return true;
}

}  // namespace strut
