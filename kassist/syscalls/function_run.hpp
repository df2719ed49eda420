// The functions of one run: their programs, the thread that arms them, and the command's start while they are armed.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "kassist/functions/arming.hpp"
#include "kassist/functions/programs.hpp"
#include "kassist/syscalls/kassist_backend.hpp"
#include "kassist/transport/drain.hpp"
#include "kassist/uprobes/uprobe_warm_up.hpp"
#include "trace/held_command.hpp"

namespace strut {

class FunctionRun {
 public:
  /// `request.functions` is set; both outlive it. Error: the kernel's refusal.
  static Result<std::unique_ptr<FunctionRun>> open(const TraceRequest& request, const Transport& transport);
  /// Joins the launch's thread: finish_launch() comes before.
  ~FunctionRun() = default;

  // -- the beginning, in this order --
  TypesWanted types_wanted() const { return programs_->types_wanted(); }
  /// Symbols are read while the kernel verifies: either takes about as long.
  Result<void> load(const Tuning& tuning, Programs& programs);
  /// The programs of calls are attached. `drain` outlives this.
  Result<void> attach(Drain& drain);
  /// A process that runs already: its code is armed when this returns.
  void follow(Pid pid);
  /// The command is stopped until all its linked libraries are armed. By a thread of its own: the command may make many
  /// calls before it is released, and these must be reported.
  void launch(HeldCommand command);
  void begun();

  /// Functions that could not be traced, since the last call.
  std::vector<std::string> complaints() { return arming_->complaints(); }

  // -- the end --
  /// The watch ends with the command, or, in its wait for that, by the signal that ends strut (0: none does).
  void finish_launch(int interrupted_by);
  void give_up() { arming_->give_up(); }
  void stop() { arming_->stop(); }

 private:
  FunctionRun(const TraceRequest& request, const Transport& transport) : request_(request), transport_(transport) {}
  void watch_launch(HeldCommand& command, LaunchWatch* watch);

  const TraceRequest& request_;
  const Transport& transport_;
  Drain* drain_ = nullptr;  ///< set by attach()
  std::optional<UprobeWarmUp> warm_up_;
  std::optional<FunctionPrograms> programs_;
  std::unique_ptr<FunctionArming> arming_;
  std::atomic<bool> launching_ = false;  ///< the command's launch is watched …
  std::thread launcher_;                 ///< … by this one
};

}  // namespace strut
