// The probe host itself. Inside ptrace/ only: the others know trace/probe_host.
#pragma once

#include <map>

#include "ptrace/engine/attach.hpp"
#include "ptrace/engine/engine.hpp"
#include "ptrace/observers/samples.hpp"
#include "trace/probe_host.hpp"

namespace strut {

/// Most of its methods are ProbeHost's and EngineObserver's.
class PtraceProbeHost final : public ProbeHost, private EngineObserver {
 public:
  PtraceProbeHost();
  ~PtraceProbeHost() override;

  void watch(const ProbeHostRequest& request) override;
  Result<void> launch(HeldCommand command, ProbeHostObserver& observer) override;
  void stop_for_attach(std::span<const Pid> pids) override;
  Result<void> attach(Pid pid, ProbeHostObserver& observer) override;
  std::vector<size_t> insert(Pid pid, std::span<const HostBreakpoint> breakpoints) override {
    return engine_.probes().insert(pid, breakpoints);
  }
  void remove(Pid pid, std::span<const Addr> addresses) override { engine_.probes().remove(pid, addresses); }
  void forget(Pid pid, std::span<const Addr> addresses) override { engine_.probes().forget(pid, addresses); }
  Result<void> watch_memory(Pid pid, std::span<const HostWatch> watches) override {
    return engine_.probes().watch_memory(pid, watches);
  }
  Result<void> serve(uint64_t until_ns, ProbeHostObserver& observer) override;
  void return_soon() override { returns_ = true; }
  void let_go() override;
  ProbeHostCounts counts() const override { return engine_.probes().counts(); }

 private:
  // host_events.cpp: stops of the engine's tracees
  Result<Resumption> at_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) override;
  Result<void> at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag) override;
  Result<void> at_access(Tracee& tracee, const MemoryHits& hits) override;
  void unwatched(Tracee&, const Error& error) override { observer_->unwatched(error); }
  Displaced displaced(const ProbedProcess&, uint64_t tag) override { return observer_->displaced(tag); }
  Result<Delivery> at_signal(Tracee& tracee, int signal) override;
  void at_ticks(Tracee& tracee, const AllRegisters* registers) override;
  void at_child_event(Tracee& parent, Tid child) override;
  Result<void> at_birth(Tracee& child, Tid parent, const SyscallDesc* by) override;
  Result<AfterExec> at_exec(Tracee& tracee) override;
  Result<void> at_end(Tracee& tracee) override;
  void process_gone(Pid pid, std::optional<int> status) override;
  void code_mapped(Pid pid) override { observer_->code_mapped(pid); }
  void linker_done(Pid pid) override { observer_->linker_done(pid); }
  void report_ticks(Tracee& tracee, const AllRegisters& registers);

  void add(std::span<const Tid> threads, Pid pid);
  void set_alarm(uint64_t until_ns);
  void look_for_ticks(uint64_t now_ns);

  ProbeHostRequest request_;
  ProbeHostObserver* observer_ = nullptr;  ///< during serve(), launch() and attach()
  Engine engine_;
  Samples samples_;
  std::map<Pid, Attached> stopped_;    ///< by stop_for_attach(), not attached yet
  std::map<Pid, Attached> borrowers_;  ///< for their memory
  bool returns_ = false;
  std::optional<Pid> launching_;  ///< the command that has not come to its execve
};

}  // namespace strut
