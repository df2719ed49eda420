// The engine itself. Inside dtrace/ only: the others know make_interpreted_engine().
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "dtrace/engine/clause_runner.hpp"
#include "dtrace/providers/live_probes.hpp"
#include "trace/armed_sites.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// Three quarters of its methods are DEngine's and ProbeHostObserver's.
class InterpretedEngine final : public DEngine, private ProbeHostObserver {
 public:
  InterpretedEngine(std::unique_ptr<ProbeHost> host, UprobeConflictReport conflicts);
  ~InterpretedEngine() override;

  std::string_view name() const override { return "ptrace"; }
  bool sees_all() const override { return false; }
  Result<void> load(const DRunRequest& request) override;
  Result<void> add_probes(std::span<const DProbe> probes) override;
  Result<std::vector<DRefusal>> arm(const DCode& code, const DArmingStep& step) override;
  Result<void> watch(Pid pid, std::span<const DWatch> watches) override;
  Result<void> launch(HeldCommand command, DObserver& observer) override;
  void prepare_attach(std::span<const Pid> pids) override;
  Result<void> attach(Pid pid, DObserver& observer) override;
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) override;
  Result<void> serve(uint64_t until_ns, DObserver& observer) override;
  void open() override { is_open_ = true; }
  void free_speculation(uint32_t id) override { runner_->free_speculation(id); }
  std::optional<int32_t> exit_status() const override { return runner_->exit_status(); }
  Result<void> stop(DObserver& observer) override;
  DAggregations& aggregations() override { return runner_->aggregations(); }
  DEngineCounts counts() const override;

 private:
  // interpreting.cpp: the host's events
  void at_breakpoint(HaltedThread& thread, uint64_t tag) override;
  void at_access(HaltedThread& thread, std::span<const MemoryAccess> accesses, uint64_t lost) override;
  void unwatched(const Error& error) override { observer_->unwatched(error); }
  Displaced displaced(uint64_t tag) override;
  void call_entered(HaltedThread& thread, const Call& call) override;
  void call_returned(HaltedThread& thread, const Call& call) override;
  void executed(HaltedThread& thread) override;
  void code_mapped(Pid pid) override;
  void linker_done(Pid pid) override;
  void process_created(HaltedThread& parent, Pid child) override;
  void thread_created(HaltedThread& parent, Tid child) override;
  void thread_started(HaltedThread& thread) override;
  void thread_ends(HaltedThread& thread, int status) override;
  void sampled(HaltedThread& thread, size_t clock, uint32_t ticks, bool is_in_call) override;
  void signal_arrives(HaltedThread& thread, const siginfo_t& signal) override;
  void process_ended(Pid pid, int status) override;

  void watch();
  bool follows() const { return live_.any() || system_wide_; }
  bool fires() const { return is_open_ && !stopped_ && !runner_->exit_status(); }
  void fire_site(HaltedThread& thread, const DCode& code, const DSite& site, uint64_t time_ns);
  void fire_lives(HaltedThread& thread, DTrigger::Process what, std::initializer_list<uint64_t> arguments);
  void fire_sent_signals(HaltedThread& thread, const Call& call);
  bool comes_from_a_call(const siginfo_t& signal) const;
  void look_at_code(Pid pid);
  void watch_linker(Pid pid);

  /// A hosted process as far as the clauses are concerned.
  struct Life {
    size_t threads = 0;
    bool is_asked_for = false;  ///< launched or attached to, not a descendant
  };

  std::unique_ptr<ProbeHost> host_;  ///< nullptr: no process is watched
  std::unique_ptr<Unwinder> unwinder_;
  std::optional<ClauseRunner> runner_;
  std::optional<ArmedSites<DCode>> code_;
  LiveProbes live_;
  std::unordered_map<int32_t, Life> lives_;
  std::unordered_map<int32_t, Pid> parents_;  ///< for processes that have not started yet
  std::set<int32_t> senders_;                 ///< processes that sent signals that were discarded; some have ended
  DObserver* observer_ = nullptr;             ///< during the calls that have one
  bool mappings_ = false;
  bool system_wide_ = false;  ///< descriptions say pid*
  bool is_open_ = false;      ///< all that was there is armed
  bool stopped_ = false;
  uint64_t began_ns_ = 0, startup_ns_ = 0;
};

}  // namespace strut
