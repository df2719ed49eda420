// The user's request, with everything that both backends need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/ids.hpp"
#include "process/interruption.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/machine_faults.hpp"
#include "syscalls/signal_names.hpp"
#include "syscalls/syscall_set.hpp"

namespace strut {

class FunctionPoints;

/// The command to launch.
struct Launch {
  std::string path;               ///< resolved executable
  std::vector<std::string> argv;  ///< argv[0] as --argv0 says, else as typed
  /// The complete environment; nullopt: strut's own.
  std::optional<std::vector<std::string>> environment;
  struct User {
    uid_t uid, gid;
    std::string name;  ///< for initgroups(3)
  };
  std::optional<User> user;  ///< -u
};

/// When an injection acts: the first'th matching call, up to the last'th, every step'th.
struct InjectWhen {
  uint32_t first = 1;
  uint32_t last = UINT32_MAX;
  uint32_t step = 1;
};
/// One byte string written over an argument's memory.
struct Poke {
  uint8_t arg = 0;  ///< index 0..5
  std::string bytes;
};
/// -e inject=SET:… (strace(1), "Tampering").
struct Injection {
  SyscallSet calls;
  InjectWhen when;
  std::optional<int> error;
  std::optional<int64_t> retval;
  std::optional<int> signal;
  std::optional<uint32_t> syscall;  ///< number of a %pure call to run instead
  std::optional<uint64_t> delay_enter_us;
  std::optional<uint64_t> delay_exit_us;
  std::vector<Poke> poke_enter;
  std::vector<Poke> poke_exit;
};

/// Events that leave a process stopped (truss -T -S -M): once one is reported, the process gets a SIGSTOP and is
/// detached.
struct StopOn {
  SyscallSet calls;  ///< when they return; those that never do, when they are entered
  SignalNumbers signals;
  FaultNumbers faults;
  bool* function_asked = nullptr;  ///< the sink sets it while it takes a function's entry that is to stop the process
  bool nothing() const { return calls.empty() && signals.none() && faults.none() && !function_asked; }
  bool takes(const siginfo_t& info) const {
    std::optional<int> fault = fault_of(info);
    return signals.test(static_cast<size_t>(info.si_signo) % signals.size()) ||
           (fault && faults.test(static_cast<size_t>(*fault)));
  }
};

/// Which outcomes of calls are reported (-z, -Z, -e status); all: not filtered.
struct StatusFilter {
  bool successful = true;
  bool failed = true;
  bool unfinished = true;
  bool unavailable = true;
  bool detached = true;
  bool all() const { return successful && failed && unfinished && unavailable && detached; }
};

/// A system-wide trace: processes that exist and that are to come, if they fit in all that is said.
struct SystemWide {
  std::optional<uid_t> uid;           ///< effective
  std::optional<std::string> cgroup;  ///< directory of a cgroup (version 2): they are in it or below it
  std::optional<std::string> comm;    ///< the command's name, as /proc/PID/comm has it
};

/// A whole trace. Filled in by cli/, read by backends; the sink has its own style.
struct TraceRequest {
  std::optional<Launch> launch;
  std::vector<Pid> attach;                ///< -p, in order, without duplicates
  std::optional<SystemWide> system_wide;  ///< --all: instead of a command and of -p
  bool follow = false;                    ///< -f
  /// Without `follow`: threads of traced processes are, too, those to come and all that a process of `attach` has.
  bool follow_threads = false;
  bool follows_threads() const { return follow || follow_threads; }
  /// Without both: all threads that a process of `attach` has, and none to come.
  bool attach_threads = false;
  bool attaches_threads() const { return follows_threads() || attach_threads; }
  SyscallSet calls = SyscallSet::all();
  SignalNumbers signals = ~SignalNumbers{};  ///< -e signal
  bool shows(int signal) const {
    size_t number = static_cast<size_t>(signal);
    return number < signals.size() && signals[number];
  }
  std::vector<std::string> paths;  ///< -P: with their resolved forms; a call must touch one of them …
  bool resolves_paths = false;     ///< a relative path of a call is one below its directory, by the file's whole name
  std::vector<int> fds;            ///< --trace-fds: … or one of these descriptors
  bool fds_inverted = false;       ///< --trace-fds=!…
  StatusFilter status;
  DecodeOptions decode;
  std::vector<Injection> injections;
  SyscallSet detach_on;  ///< -b: leave a thread that makes such a call successfully
  StopOn stop_on;
  uint64_t call_limit = 0;  ///< --syscall-limit; 0: none
  bool kill_on_exit = false;
  bool seccomp_filter = false;       ///< --seccomp-bpf
  bool measure_system_time = false;  ///< fill Call::system_time_ns (-c)
  bool need_ip = false;              ///< -i
  bool need_times = true;            ///< false: times only decide the order
  /// Fill Call::left with more than about the time; a clock that is read costs the target.
  bool need_return_times = true;
  size_t stack_frames = 0;   ///< -k: at most so many frames of each event's stack; 0: no stacks
  bool stack_lines = false;  ///< -kk: with the lines of the sources, where they are known
  /// Function calls are traced, too: reported as FunctionHitEvent and ExecutedEvent.
  FunctionPoints* functions = nullptr;
  bool function_errors = false;      ///< fill FunctionHit::error_number
  bool signal_dispositions = false;  ///< fill SignalEvent::disposition
  uint64_t sleeping_after_ns = 0;    ///< calls that have slept this long are reported (SleepingEvent); 0: they are not
  bool need_comm = false;            ///< -Y, or pids with names: fill ThreadName::comm
  bool decode_arguments = true;      ///< false: only numbers and results are needed (-c without -P)
  Interruptible interruptible = Interruptible::Default;
  /// A signal that ends strut ends the launched command too, unless this says that it runs on. SIGUSR2, where that ends
  /// strut (Interruption::heed_user_signals), leaves all targets stopped by SIGSTOP.
  bool spares_command = false;
  /// -D -DD -DDD: strut runs as a detached grandchild of the command's parent, in its own group or session.
  enum class Daemon : uint8_t { No, Grandchild, ProcessGroup, Session } daemon = Daemon::No;
};

}  // namespace strut
