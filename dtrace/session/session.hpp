// A run of a D program: defines and arms its probes, then BEGIN, firings, timers, END.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlang/machine/engine.hpp"
#include "dlang/output/formatter.hpp"
#include "dtrace/session/drop_tally.hpp"
#include "dtrace/session/enabling.hpp"
#include "dtrace/session/held_records.hpp"
#include "dtrace/session/speculations.hpp"
#include "dtrace/session/symbolizer.hpp"

namespace strut {

/// A line of a firing, before its text.
struct DRowHead {
  uint32_t cpu = 0;
  uint32_t id = 0;
  Tid tid{};
  std::string_view provider, function, name;
};

/// The layout of a session's text, and the actions of programs.
class DConsumer {
 public:
  virtual ~DConsumer() = default;
  /// The text around that of a firing; both append. Options may have changed meanwhile (setopt).
  virtual void begin_row(std::string& out, const DRowHead& head, const DSettings& settings) = 0;
  virtual void end_row(std::string& out, const DSettings& settings) = 0;
  /// An argument of a system call as strace shows it: DCallArgument and memory of a firing in this thread.
  virtual std::string call_argument(const DTrigger::Syscall& call, Tid caller, std::string_view recorded) = 0;
  /// Output of the program. Error: it cannot be written (a closed pipe, a full disk). That is said once, and the run
  /// ends when the commands of -c have ended, at once without any.
  virtual Result<void> write(std::string_view text) = 0;
  /// A line for stderr that is no output: drops, faults.
  virtual void complain(std::string_view line) = 0;
  /// A line that quiet programs do not print: "pid 12 has exited".
  virtual void mention(std::string_view line) = 0;
  virtual void system(const std::string& command) = 0;
  virtual Result<void> freopen(const std::string& path) = 0;
  virtual void ftruncate() = 0;
  /// While probes are armed: so many sites of so many have theirs.
  virtual void arming(uint64_t done, uint64_t wanted) = 0;
  /// All of them have.
  virtual void armed() = 0;
  /// A signal that asks the run to end came.
  virtual bool is_interrupted() = 0;
};

struct DSessionRequest {
  const DProgram* program = nullptr;
  std::vector<Pid> attach;            ///< -p
  std::vector<HeldCommand> commands;  ///< -c
  bool escape_controls = false;       ///< the output is a terminal
  Pid self{};                         ///< strut as users know it
  /// Whether probes of code that is mapped while the session runs may be armed; empty: they may.
  std::function<bool(const DCode&)> permits;
};

struct DSessionCounts {
  uint64_t probes = 0;  ///< those with enabled clauses
  uint64_t dropped = 0;
  uint64_t refused = 0;  ///< instructions that no probe could be put on
};

class DSession final : DObserver, DConsole, DSymbolizer {
 public:
  /// All outlive it.
  DSession(DSessionRequest request, Enabling& enabling, DEngine& engine, DConsumer& consumer);
  ~DSession() override;

  /// To the end. Error: it could not begin (a program that the engine cannot run, a process that cannot be watched).
  /// Else 1 if output failed, the status of exit(), or 0.
  Result<int> run();
  DSessionCounts counts() const { return counts_; }

 private:
  // DObserver
  void fired(const DFired& fired) override;
  void faulted(const DFaulted& faulted) override;
  void dropped(DDrops what, int cpu, uint64_t count) override;
  void unheld(uint64_t count) override;
  void code_changed(Pid pid) override;
  void disarmed(Pid pid) override { enabling_.forget(pid); }
  void executed(Pid pid, uint64_t at_ns) override { symbolizer_.executed(pid, at_ns); }
  void forked(Pid parent, Pid child, uint64_t at_ns) override { symbolizer_.forked(parent, child, at_ns); }
  void mapped(Pid pid, const Mapping& mapping) override { symbolizer_.mapped(pid, mapping); }
  void unmapped(Pid pid) override { symbolizer_.ended(pid); }
  void missed_changes() override { symbolizer_.missed_something(); }
  void ended(Pid pid, int status) override;
  // DSymbolizer
  std::string name(uint64_t process, uint64_t address, DShape::Kind kind) override {
    return symbolizer_.name(process, address, kind);
  }
  std::string name_of_return(uint64_t process, uint64_t address, DShape::Kind kind) override {
    return symbolizer_.name_of_return(process, address, kind);
  }
  std::string call_argument(std::string_view recorded) override;
  bool may_be_absent(const DFaulted& faulted) const;
  // DConsole
  void write(std::string_view text) override;
  void exit(int32_t status) override { exit_status_ = status; }
  void system(const std::string& command) override { consumer_.system(command); }
  void freopen(const std::string& path) override;
  void ftruncate() override { consumer_.ftruncate(); }
  void setopt(const std::string& name, const std::string& value) override;

  struct Timer {
    uint32_t probe;
    uint64_t interval_ns;
    uint64_t next_ns;
  };

  Result<void> begin();
  void remember_all();
  Result<void> make_known(std::vector<DProbe> probes);
  // session_arming.cpp
  bool has_armed(size_t sites);
  Result<void> arm(const DCode& code);
  Result<void> arm_if_mapped(DCode& code);
  Result<void> arm_found(PidFound& found);
  Result<void> attach(Pid pid);
  Result<void> watch_targets();
  Result<void> serve();
  Result<void> finish();
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments = {});
  Result<void> fire_all(std::string_view name);
  std::vector<uint32_t> named(std::string_view name) const;
  Result<void> fire_errors();
  Result<void> settle();
  Result<void> fire_due_timers(uint64_t now_ns);
  void start_timers();
  uint64_t next_deadline(uint64_t now_ns) const;
  void flush();
  void report_or_keep(const DFired& fired);
  void report(const DFired& fired);
  void print(const DFired& fired);
  void end_speculation(uint32_t id, Speculations::End how);
  void free_speculations();
  void say_drops(const std::vector<DropTally::Dropped>& drops);
  bool is_permitted(Pid pid, const DCode& code);
  void say_shortage(Pid pid, const std::string& shortage);
  void note_refusals(const DCode& code, const std::vector<DRefusal>& refusals);
  void say_refusals();
  bool is_over() const;

  DSessionRequest request_;
  const DProgram& program_;
  Enabling& enabling_;
  DEngine& engine_;
  DConsumer& consumer_;
  DSettings settings_;
  DTextStyle style_;
  ProcessSymbolizer symbolizer_;
  std::optional<DFormatter> formatter_;
  DropTally drops_;
  Speculations speculations_;
  HeldRecords held_;
  const DProbe* reported_ = nullptr;  ///< the probe of the printed record, and the thread in which it fired
  Tid reported_in_{};
  std::string out_;
  bool output_failed_ = false;             ///< said, and nothing is written any more
  std::deque<std::vector<DProbe>> known_;  ///< engines keep views of these
  std::vector<const DProbe*> probes_;      ///< in the order of add_probes()
  std::vector<uint32_t> first_epid_;       ///< for each, the number of its first clause among all enabled ones, from 1
  uint32_t next_epid_ = 1;
  uint32_t own_ = 0;                      ///< the first so many are BEGIN, END, ERROR and tick
  std::vector<bool> reads_aggregations_;  ///< by clause
  bool names_addresses_ = false;          ///< the program prints stacks or symbols of processes
  std::vector<Timer> timers_;
  std::vector<DFaulted> faults_;
  std::vector<Pid> living_;  ///< targets of -c and -p
  bool has_targets_ = false;
  bool has_commands_ = false;  ///< for -c: they run to their end even if output fails
  std::optional<int32_t> exit_status_;
  DSessionCounts counts_;
  uint64_t sites_armed_ = 0, sites_wanted_ = 0;
  std::string first_refusal_;
  bool said_shortage_ = false;
};

}  // namespace strut
