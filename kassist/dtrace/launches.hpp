// Launched commands that are watched while they start.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "kassist/dtrace/news_wait.hpp"
#include "kassist/uprobes/launch_thread.hpp"
#include "trace/held_command.hpp"
#include "trace/launch_watch.hpp"

namespace strut {

class DLaunches {
 public:
  enum class Step : uint8_t {
    NewCode,
    Started,  ///< the program is about to run
  };
  /// Called at a step of a command, which stands still until it returns.
  using AtStep = std::function<void(Pid pid, Step step)>;

  /// Releases the command and watches it. `wait` outlives this.
  Result<void> add(std::unique_ptr<LaunchWatch> watch, HeldCommand command, LaunchWatch::Until until, DNewsWait& wait);
  /// Until the command that was added last has started, it is not watched any more, or a signal came.
  void wait_for_start(const AtStep& at_step);
  /// At what has come of all of them.
  void look(const AtStep& at_step);
  /// This thread waits in a BPF program. That occupies a CPU, and locks that arming needs: a command that is watched
  /// anyway is stopped instead.
  void hold(Tid asker, const AtStep& at_step);
  /// All run by themselves from here on.
  void leave() { launched_.clear(); }

 private:
  struct Launched {
    Pid pid{};
    std::unique_ptr<LaunchThread> thread;
    bool is_over = false;
  };
  static bool look_at(Launched& launched, LaunchThread::Look look, const AtStep& at_step);

  std::vector<Launched> launched_;
};

}  // namespace strut
