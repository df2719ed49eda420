// The engine of D programs in the kernel: for its own files only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "base/owned_fd.hpp"
#include "kassist/dtrace/engine.hpp"
#include "kassist/dtrace/hooks.hpp"
#include "kassist/dtrace/linkers.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/dtrace/reader.hpp"
#include "kassist/dtrace/stacks.hpp"
#include "kassist/dtrace/targets.hpp"
#include "kassist/uprobes/fresh_code.hpp"
#include "kassist/uprobes/launch_thread.hpp"
#include "kassist/uprobes/process_watch.hpp"
#include "kassist/uprobes/uprobes.hpp"

namespace strut {

class KassistDEngine final : public DEngine {
 public:
  explicit KassistDEngine(DKassistParts parts) : parts_(std::move(parts)) {}
  ~KassistDEngine() override { hooks_.detach(); }
  std::string_view name() const override { return "kassist"; }
  bool sees_all() const override { return true; }

  Result<void> load(const DRunRequest& request) override;
  Result<void> add_probes(std::span<const DProbe> probes) override;
  Result<std::vector<DRefusal>> arm(const DCode& code, const DArmingStep& step) override;
  Result<void> launch(HeldCommand command, DObserver& observer) override;
  Result<void> attach(Pid pid, DObserver& observer) override;
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) override;
  Result<void> serve(uint64_t until_ns, DObserver& observer) override;
  void open() override { kernel_->control().open(); }
  void free_speculation(uint32_t id) override { kernel_->free_speculation(id); }
  std::optional<int32_t> exit_status() const override { return kernel_->control().exit_status(); }
  Result<void> stop(DObserver& observer) override;
  DAggregations& aggregations() override;
  DEngineCounts counts() const override;

 private:
  enum Tag : uint64_t { kNews, kChanges, kEnds, kLaunches, kLinkers };
  struct Launched {
    Pid pid{};
    std::unique_ptr<LaunchThread> thread;
    bool is_over = false;
  };
  Result<void> listen_to(int descriptor, Tag tag);
  void report_displacements(const DCode& code);
  bool reads_at_calls() const;
  Result<void> watch_linkers();
  bool wait(uint64_t until_ns);
  uint64_t longest_wait_ns() const;
  [[noreturn]] void leave_orphaned();
  // engine_targets.cpp
  Result<void> watch();
  void read_changes();
  void take_changes(DObserver& observer, const std::set<Pid>& standing);
  void take(const ProcessChange& change, std::set<Pid>& changed, DObserver& observer);
  void answer_linkers(DObserver& observer);
  void hold_command(Tid asker, DObserver& observer);
  void watch_linkers_of(Pid pid);
  void lose_first_thread(Pid pid);
  bool is_new_file(const ProcessChange& change);
  bool look_at_launch(Launched& launched, LaunchThread::Look look, DObserver& observer);
  void started(Pid pid);
  void look_at_launches(DObserver& observer);
  void stop_at_new_code(Pid pid, DObserver& observer);
  bool report_ends(DObserver& observer);
  bool is_followed(Pid pid) const { return followed_.contains(raw(pid)); }

  DKassistParts parts_;
  DRunRequest request_;
  UprobeMechanism mechanism_ = UprobeMechanism::Multi;
  std::optional<DKernelProgram> kernel_;
  std::optional<DAggregations> aggregations_;
  std::optional<DStacks> stacks_;  ///< before the reader that uses it
  std::unique_ptr<DReader> reader_;
  std::map<int32_t, Uprobes> uprobes_;  ///< by process; 0: system-wide
  DHooks hooks_;
  uint32_t probes_ = 0;
  uint64_t armed_ = 0;  ///< instructions, since the beginning
  bool has_stacks_ = false;
  bool keeps_changes_ = false;  ///< stacks or names of addresses are wanted

  OwnedFd epoll_;
  std::optional<DTargets> targets_;
  std::unique_ptr<ProcessWatch> watch_;                   ///< nullptr: no process is followed
  std::unique_ptr<DLinkers> linkers_;                     ///< nullptr: no process waits for probes in new code
  FreshCode fresh_code_;                                  ///< processes with a linker that has yet to request arming
  std::vector<ProcessChange> changes_;                    ///< read, and not acted on yet
  std::set<int32_t> followed_;                            ///< processes with reported code
  std::set<int32_t> headless_;                            ///< followed processes without their first thread
  using File = std::tuple<uint32_t, uint32_t, uint64_t>;  ///< device and inode
  std::set<File> files_;                                  ///< system-wide ones that were reported
  std::map<int32_t, uint64_t> looked_ns_;  ///< for a stopped process: its mappings until then are reported
  std::optional<Error> trouble_;           ///< for a call that cannot return one
  uint64_t clock_ns_ = 0;                  ///< when it was adjusted last
  uint64_t began_ns_ = 0, startup_ns_ = 0;
  std::vector<Launched> launches_;  ///< commands that are watched while they start
};

}  // namespace strut
