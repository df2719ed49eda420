// The engine waits for its tracees, follows them through forks, execs and exits, and continues them. Its observer acts
// at their stops.
#pragma once

#include <optional>

#include "ptrace/cpu/cpu_follower.hpp"
#include "ptrace/engine/alarm_clock.hpp"
#include "ptrace/engine/leaving.hpp"
#include "ptrace/engine/lives.hpp"
#include "ptrace/engine/observer.hpp"
#include "ptrace/engine/probed_processes.hpp"
#include "ptrace/engine/restarts.hpp"
#include "ptrace/engine/stop_source.hpp"
#include "ptrace/engine/stops.hpp"
#include "ptrace/engine/tracee.hpp"

namespace strut {

struct EngineSettings {
  unsigned options = 0;          ///< PTRACE_O_, of all tracees
  bool follow = false;           ///< children that are processes
  bool follow_threads = true;    ///< where there are breakpoints the others are held, and not reported
  bool has_breakpoints = false;  ///< tracees may have some
  bool sees_calls = true;        ///< at_call() is wanted: else tracees stop at calls only where breakpoints need it
  bool follows_cpu = true;       ///< the tracer goes to its tracees' CPUs
  Usage usage = Usage::Omit;
  PidfdNames pidfds = PidfdNames::Omit;
  StopSource::Fairness fairness{};
};

/// Lives in one thread, which must be the one that waits (ptrace(2): a tracer is a thread). Whatever its functions
/// return, no tracee is harmed: those still attached go on when strut ends.
class Engine {
 public:
  explicit Engine(const EngineSettings& settings);

  /// From here on stops are served. `cpus`: the settings of CpuFollower.
  void begin(EngineObserver& observer, const TraceRequest& cpus);
  /// Detaches the tracees that are left: leaders that were replaced by the execve of an untraced thread have no further
  /// stop.
  Result<void> end();
  /// May be changed at any time: follow, sees_calls, follows_cpu.
  EngineSettings& settings() { return settings_; }
  TraceeTable& tracees() { return tracees_; }
  bool has_breakpoints() const { return probes_.has_value(); }
  /// Only where there are breakpoints.
  ProbedProcesses& probes() { return *probes_; }
  const ProbedProcesses& probes() const { return *probes_; }
  Restarts& restarts() { return restarts_; }

  /// No tracee is left, and none is expected.
  bool is_over() const;
  enum class Step : uint8_t { Stop, Signal, NoTracee };
  /// Handles one stop; sleeps until there is one, or until a signal comes to strut.
  Result<Step> step();
  /// Whether the alarm rang; continues tracees whose delay is over. To be asked before each step.
  bool rang();
  /// Rings at this time (CLOCK_MONOTONIC; UINT64_MAX: never), again and again every so often, and when the engine needs
  /// it.
  void set_alarm(uint64_t at_ns, uint64_t again_ns);

  /// Detaches all tracees: they are asked to stop, and steps do the rest.
  Result<void> leave(LeaveThem as = LeaveThem::Running);
  bool is_leaving() const { return leaving_.is_under_way(); }
  /// A tracee that is stopped. `signal`: delivered to it.
  Result<void> release(Tracee& tracee, int signal);
  /// Forgets a tracee that has not stopped: the kernel detaches it when strut ends.
  Result<void> let_run(Tracee& tracee);

  // For the parts of the engine:
  EngineObserver& observer() { return *observer_; }
  CpuFollower& cpu() { return *cpu_; }
  Lives& lives() { return lives_; }
  Leaving& leaving() { return leaving_; }
  void go_on(Tracee& tracee, Resumption how = {});

 private:
  bool are_killed() const;
  Tracee* polled();
  Tracee* polled_call(SyscallInfo& info);
  std::optional<Waited> polled_trap();

  EngineSettings settings_;
  EngineObserver* observer_ = nullptr;  ///< from begin() on
  TraceeTable tracees_;
  Stops handler_{*this};
  Lives lives_{*this};
  StopSource stops_;
  std::optional<ProbedProcesses> probes_;  ///< where there are breakpoints
  std::optional<AlarmClock> alarm_;
  std::optional<CpuFollower> cpu_;
  Restarts restarts_{settings_, tracees_, stops_.poll(), cpu_};
  Leaving leaving_{*this};
  uint64_t alarm_ns_ = UINT64_MAX, again_ns_ = 0;
};

}  // namespace strut
