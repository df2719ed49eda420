// A run of a D program: defines and arms its probes, then BEGIN, firings, timers, END.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dtrace/session/record_routing.hpp"
#include "dtrace/session/session_arming.hpp"
#include "dtrace/session/session_output.hpp"
#include "dtrace/session/session_timers.hpp"

namespace strut {

struct DSessionRequest {
  const DProgram* program = nullptr;
  std::vector<Pid> attach;            ///< -p
  std::vector<HeldCommand> commands;  ///< -c
  bool escape_controls = false;       ///< the output is a terminal
  Pid self{};                         ///< strut as users know it
  /// Whether probes of code that is mapped while the session runs may be armed; empty: they may.
  SessionArming::Permits permits;
};

struct DSessionCounts {
  uint64_t probes = 0;  ///< those with enabled clauses
  uint64_t dropped = 0;
  uint64_t refused = 0;  ///< instructions that no probe could be put on
};

/// Twelve of its methods are DObserver's.
class DSession final : DObserver {
 public:
  /// All outlive it.
  DSession(DSessionRequest request, Enabling& enabling, DEngine& engine, DConsumer& consumer);

  /// To the end. Error: it could not begin (a program that the engine cannot run, a process that cannot be watched).
  /// Else 1 if output failed, the status of exit(), or 0.
  Result<int> run();
  DSessionCounts counts() const { return {probes_.count(), dropped_, arming_.refused()}; }

 private:
  // DObserver
  void fired(const DFired& fired) override { records_.fired(fired); }
  void faulted(const DFaulted& faulted) override;
  void dropped(DDrops what, int cpu, uint64_t count) override;
  void unheld(uint64_t count) override;
  void unwatched(const Error& error) override { arming_.could_not_watch(error); }
  void code_changed(Pid pid) override;
  void disarmed(Pid pid) override { enabling_.forget(pid); }
  void executed(Pid pid, uint64_t at_ns) override { output_.symbolizer().executed(pid, at_ns); }
  void forked(Pid parent, Pid child, uint64_t at_ns) override { output_.symbolizer().forked(parent, child, at_ns); }
  void mapped(Pid pid, const Mapping& mapping) override { output_.symbolizer().mapped(pid, mapping); }
  void unmapped(Pid pid) override { output_.symbolizer().ended(pid); }
  void missed_changes() override { output_.symbolizer().missed_something(); }
  void ended(Pid pid, int status) override;

  Result<void> begin();
  Result<void> load();
  void remember_all();
  Result<void> watch_targets();
  Result<void> attach(Pid pid);
  bool is_over() const;
  Result<void> serve();
  Result<void> finish();
  Result<void> fire(uint32_t probe);
  Result<void> fire_all(std::string_view name);
  Result<void> fire_errors();
  Result<void> settle();
  bool may_be_absent(const DFaulted& faulted) const;

  DSessionRequest request_;
  Enabling& enabling_;
  DEngine& engine_;
  DConsumer& consumer_;
  SessionProbes probes_;
  SessionOutput output_;
  RecordRouting records_;
  SessionArming arming_;
  SessionTimers timers_;
  DropTally drops_;
  std::vector<DFaulted> faults_;  ///< faults that ERROR has not fired for yet
  std::vector<Pid> living_;       ///< targets of -c and -p
  bool has_targets_ = false;
  const bool has_commands_;  ///< for -c: they run to their end even if output fails
  uint64_t dropped_ = 0;
  int32_t engine_status_ = 0;  ///< the status of exit(), before END
};

}  // namespace strut
