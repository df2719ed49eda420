// The probe host itself. Inside ptrace/ only: the others know trace/probe_host.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "ptrace/breakpoints/traps.hpp"
#include "ptrace/cpu/cpu_follower.hpp"
#include "ptrace/engine/alarm_clock.hpp"
#include "ptrace/engine/attach.hpp"
#include "ptrace/engine/births.hpp"
#include "ptrace/engine/stop_poll.hpp"
#include "ptrace/engine/hosted.hpp"
#include "ptrace/engine/samples.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"
#include "trace/probe_host.hpp"

namespace strut {

/// Children are held from their first moment: they have their parent's breakpoints.
inline constexpr unsigned kHostOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT |
                                         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;

class PtraceProbeHost final : public ProbeHost {
 public:
  PtraceProbeHost();
  ~PtraceProbeHost() override;

  void watch(const ProbeHostRequest& request) override;
  Result<void> launch(HeldCommand command, ProbeHostObserver& observer) override;
  void stop_for_attach(std::span<const Pid> pids) override;
  Result<void> attach(Pid pid, ProbeHostObserver& observer) override;
  std::vector<size_t> insert(Pid pid, std::span<const HostBreakpoint> breakpoints) override;
  void remove(Pid pid, std::span<const Addr> addresses) override;
  void forget(Pid pid, std::span<const Addr> addresses) override;
  Result<void> serve(uint64_t until_ns, ProbeHostObserver& observer) override;
  void return_soon() override { returns_ = true; }
  void let_go() override;
  ProbeHostCounts counts() const override { return counts_; }

 private:
  // host_attach.cpp
  void hold(Pid pid, std::span<const Tid> threads, std::span<const Tid> borrowers);

  // host.cpp: waiting
  std::optional<Waited> next();
  std::optional<Waited> next_in_turn();
  std::optional<Waited> glimpsed_trap();
  void set_alarm(uint64_t until_ns);
  void look_for_ticks(uint64_t now_ns);
  void handle(const Waited& waited);
  void go_on(Hosted& thread, int signal = 0);
  Restart restart_of(const Hosted& thread) const;

  // host_stops.cpp: the causes of a thread's stop
  void handle_stop(Hosted& thread, const Stop& stop);
  void handle_trap(Hosted& thread);
  void hit(Hosted& thread, AllRegisters& registers);
  std::vector<ProbedThread*> others_in(const ProbedThread& thread) const;
  void handle_signal(Hosted& thread, int signal);
  void report_ticks(Hosted& thread);
  void report_ticks(Hosted& thread, const AllRegisters& registers);
  void handle_call(Hosted& thread);
  void enter_call(Hosted& thread, const SyscallInfo& info);
  void leave_call(Hosted& thread, const SyscallInfo& info);

  // host_lives.cpp: threads and processes that come and go
  void handle_event(Hosted& thread, int event);
  bool handle_exec(Tid tid);
  void expect_child(Hosted& parent);
  void begin(Hosted& child);
  void welcome(Tid tid);
  std::vector<std::shared_ptr<ProbedProcess>> processes() const;
  void handle_death(Tid tid, int status);

  // host_leaving.cpp: letting go
  bool all_stand() const;
  bool is_patience_over_with_rest(uint64_t quiet_ns);
  void stand(Hosted& thread, const Waited& waited);
  void detach_all();

  ProbeHostRequest request_;
  ProbeHostObserver* observer_ = nullptr;  ///< during serve(), launch() and attach()
  ProbeHostCounts counts_;
  HostedTable threads_;
  Births births_;
  Samples samples_;
  std::map<Pid, Attached> stopped_;    ///< by stop_for_attach(), not attached yet
  std::map<Pid, Attached> borrowers_;  ///< for their memory
  std::deque<Waited> waiting_;         ///< taken, not yet handled
  Traps traps_{counts_, waiting_, [this](const ProbedThread& thread) { return others_in(thread); }};
  std::shared_ptr<CallPlaces> call_places_ = std::make_shared<CallPlaces>();
  TraceRequest manners_;  ///< the settings of CpuFollower
  std::optional<AlarmClock> alarm_;
  std::optional<CpuFollower> cpu_;
  StopPoll stop_poll_;
  Tid turn_{};  ///< the thread that was looked at last
  Tid last_served_{};
  int served_in_row_ = 0;
  int glimpses_ = 0;  ///< since the last wait
  bool returns_ = false;
  bool launching_ = false;  ///< the command has not come to its execve
  bool leaving_ = false;
  uint64_t look_at_states_ns_ = 0;  ///< while leaving: not before
};

}  // namespace strut
