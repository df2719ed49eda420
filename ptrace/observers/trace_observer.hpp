// Reports the stops of an engine's tracees as the events of a trace.
#pragma once

#include <optional>

#include "ptrace/engine/engine.hpp"
#include "ptrace/engine/ptrace_parts.hpp"
#include "ptrace/observers/function_watch.hpp"
#include "ptrace/observers/stack_taker.hpp"
#include "ptrace/observers/syscall_watch.hpp"
#include "trace/backend.hpp"
#include "trace/event_emitter.hpp"

namespace strut {

/// More than half of its methods are EngineObserver's.
class TraceObserver final : public EngineObserver {
 public:
  /// `engine`: the one that this observes. All outlive this.
  TraceObserver(const TraceRequest& request, Sink& sink, Listener& listener, const PtraceParts& parts, Engine& engine);

  /// The launched command, which stands before its execve.
  void launched(Tracee& command, bool is_child);
  void learn_comm(Tracee& tracee) const;
  /// Reports calls in which tracees have slept for as long as the request says.
  Result<void> report_sleepers();

  EventEmitter<TraceeTable>& emitter() { return emitter_; }
  FunctionWatch* functions() { return functions_ ? &*functions_ : nullptr; }
  Outcome& outcome() { return outcome_; }
  uint64_t events() const { return emitter_.events(); }
  uint64_t unseen() const { return watch_.unseen(); }
  std::optional<Tid> command() const { return command_; }
  bool is_command_child() const { return command_is_child_; }

 private:
  Result<Resumption> at_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) override;
  Result<void> at_unreadable_call(Tracee& tracee) override { return watch_.at_unreadable_stop(tracee); }
  Result<void> at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag) override;
  Displaced displaced(const ProbedProcess& process, uint64_t tag) override {
    return functions_->displaced(process, tag);
  }
  Result<Delivery> at_signal(Tracee& tracee, int signal) override;
  Result<void> at_group_stop(Tracee& tracee, int signal) override;
  void at_attach(Tracee& tracee, const SyscallInfo& info) override { watch_.at_attach(tracee, info); }
  void expects(Pid parent, Pid child) override { functions_->expects(parent, child); }
  Result<void> at_birth(Tracee& child, Tid parent, const SyscallDesc* by) override;
  Result<void> before_rename(Tracee& caller, Tid id, Tracee* leader) override;
  Result<void> after_rename(const Tracee& process, Tid former, Tracee& leader) override;
  Result<AfterExec> at_exec(Tracee& tracee) override;
  Result<void> at_end(Tracee& tracee) override { return watch_.at_death(tracee, now()); }
  Result<void> after_death(Tracee& tracee, const Stop& stop, int status) override;
  void process_gone(Pid pid, std::optional<int> status) override;
  Result<void> before_release(Tracee& tracee) override { return watch_.at_detach(tracee); }
  Result<void> after_release(Tracee& tracee) override;
  void code_mapped(Pid pid) override { functions_->code_changed(pid); }
  void linker_done(Pid pid) override { functions_->watch_linker(pid); }

  Result<void> after_exit(Tracee& tracee, const SyscallInfo& info, uint64_t reported_before);
  Result<Delivery> report_signal(Tracee& tracee, int signal);
  uint64_t ip_of(const Tracee& tracee) const;

  const TraceRequest& request_;
  Listener& listener_;
  Engine& engine_;
  EventEmitter<TraceeTable> emitter_;
  StackTaker stacks_;
  SyscallWatch watch_;
  std::optional<FunctionWatch> functions_;  ///< where they are traced
  Outcome outcome_;
  std::optional<Tid> command_;  ///< the launched one's leader
  bool command_is_child_ = true;
  bool command_runs_ = false;  ///< the execve succeeded
};

}  // namespace strut
