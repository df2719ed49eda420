// The tracer: waits for its tracees, reports their events, and continues them.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "trace/backend.hpp"
#include "process/interruption.hpp"
#include "ptrace/engine/alarm_clock.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/cpu/cpu_follower.hpp"
#include "ptrace/engine/function_watch.hpp"
#include "ptrace/engine/stop_poll.hpp"
#include "ptrace/engine/stack_taker.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/engine/syscall_watch.hpp"
#include "trace/event_emitter.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

/// One run. Lives in one thread, which must be the one that waits (ptrace(2): a tracer is a thread).
class Tracer {
 public:
  /// `unwinder`: for requests that want stacks, else nullptr.
  Tracer(const TraceRequest& request, Sink& sink, Listener& listener, Unwinder* unwinder);

  /// Whatever it returns, no tracee that it did not launch is harmed: those still attached go on when strut ends.
  Result<Outcome> run();
  BackendStats stats() const;

 private:
  // tracer.cpp: beginning, waiting
  Result<void> begin();
  Result<void> attach_requested();
  Result<void> loop();
  Result<void> tend();
  Result<void> look_for_sleepers();
  Tracee* worth_a_glimpse();
  Chance chance() const { return cpu_->tracees_run_at_once() ? Chance::Good : Chance::Unknown; }
  Tracee* glimpsed_call(SyscallInfo& info);
  std::optional<Waited> glimpsed_trap();
  std::optional<Waited> next_in_turn();
  std::optional<Waited> next();
  Result<void> handle(const Waited& waited);
  Company company_of(const Tracee& tracee) const {
    return tracees_.others_run(tracee) ? Company::Others : Company::None;
  }
  Result<void> follow_exec(Tid tid, const Stop& stop);
  unsigned options() const;

  // tracer_stops.cpp: the causes of a tracee's stop
  Result<void> handle_stop(Tracee& tracee, const Stop& stop, uint64_t system_time_ns);
  Result<void> handle_syscall(Tracee& tracee, uint64_t system_time_ns);
  Result<void> handle_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns);
  Result<void> handle_signal(Tracee& tracee, int signal);
  Result<void> handle_group_stop(Tracee& tracee, int signal);
  Result<void> handle_death(Tracee& tracee, const Stop& stop, int status);
  Result<void> handle_event(Tracee& tracee, int event, uint64_t system_time_ns);
  Result<void> handle_exec(Tracee& process);
  Result<void> take_over(Tid leader, Tid former);
  Result<void> expect_child(Tracee& parent, int event);
  Result<Tracee*> welcome(Tid tid);
  void after_command_failed(Tracee& tracee, int error);
  uint64_t ip_of(const Tracee& tracee) const;
  void learn_comm(Tracee& tracee) const;
  Result<void> forget(Tracee& tracee);
  Restart restart_of(const Tracee& tracee) const;
  void go_on(Tracee& tracee, Resumption how = {});
  void resume_due();
  void set_alarm();

  // tracer_functions.cpp: tracees with breakpoints
  Result<bool> handle_trap(Tracee& tracee);
  Result<void> attach_borrowers();
  Result<Tracee*> welcome_probed(Tid tid);
  Result<void> expect_probed(Tracee& parent);
  Result<void> begin_probed(Tid child);
  Result<void> stand(Tracee& tracee, const Stop& stop);
  Result<void> leave_standing();
  Result<void> leave_rest();
  bool is_news_of_running() const;
  void give_back();

  // tracer_leaving.cpp: letting go
  Result<void> leave_all();
  Result<void> let_go(Tracee& tracee, int signal);
  Result<void> let_run(Tracee& tracee);
  Result<void> report_detached(Tracee& tracee);
  Result<void> let_go_at(Tracee& tracee, const Stop& stop);
  bool leaves_stopped() const;
  bool awaits_tracer(const Tracee& tracee) const;
  void let_newborn_go(Tid tid);
  std::string states_of_running() const;
  bool may_all_wait_for_vfork() const;
  bool has_gap(const Tracee& tracee, const Stop& stop) const;
  Result<void> while_nothing_stops();
  Result<void> give_up_rest();
  bool stops_victim(const Tracee& tracee, const SyscallInfo& info) const;
  void stop_next(Tracee& tracee);
  Result<void> abandon(Tracee& tracee);
  Result<void> abandon_at_signal(Tracee& tracee, const siginfo_t& info);

  const TraceRequest& request_;
  Listener& listener_;
  EventEmitter<TraceeTable> emitter_;
  StackTaker stacks_;
  SyscallWatch watch_;
  TraceeTable tracees_;
  std::deque<Waited> waiting_;              ///< taken, not yet handled
  std::optional<FunctionWatch> functions_;  ///< where they are traced
  std::optional<AlarmClock> alarm_;
  std::optional<CpuFollower> cpu_;
  StopPoll stop_poll_;
  Outcome outcome_;

  Usage usage_;
  std::optional<Tid> command_;  ///< the launched one's leader
  bool command_is_child_ = true;
  bool command_runs_ = false;      ///< the execve succeeded
  bool kill_on_exit_;              ///< asked for, or because a seccomp filter must not outlive its tracer
  bool seccomp_in_force_ = false;  ///< tracees stop by themselves for the calls that are wanted
  /// A child with a stop after its parent's.
  struct Birth {
    Pid pid{};
    Tid parent{};
    const SyscallDesc* by = nullptr;
  };
  std::unordered_map<int32_t, Birth> expected_;
  std::optional<Birth> birth_of(Tid tid) const;
  Tid turn_{};                ///< the tracee that was looked at last
  int glimpses_ = 0;          ///< since the last wait
  uint64_t flush_at_ns_ = 0;  ///< 0: nothing to be flushed
  uint64_t look_for_sleepers_at_ns_ = 0;
  size_t delayed_ = 0;  ///< tracees that stand still for an injected delay
  bool is_leaving_ = false;
  uint64_t last_stop_ns_ = 0;       ///< while leaving: when a tracee was last seen to stop
  uint64_t look_at_states_ns_ = 0;  ///< while leaving: not before
  size_t stood_ = 0;                ///< while leaving: at the last look at all
  uint64_t began_ns_ = 0;
  uint64_t startup_ns_ = 0;
};

}  // namespace strut
