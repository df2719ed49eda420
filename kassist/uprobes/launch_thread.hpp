// A launch watch in a thread beside strut's main thread: a tracee must not wait for strut's output.
#pragma once

#include <condition_variable>
#include <csignal>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "trace/held_command.hpp"
#include "trace/launch_watch.hpp"

namespace strut {

class LaunchThread {
 public:
  /// Releases the command and watches it. `watch` is used by the thread alone until it ends.
  static Result<std::unique_ptr<LaunchThread>> start(std::unique_ptr<LaunchWatch> watch, HeldCommand command,
                                                     LaunchWatch::Until until);
  /// The command runs by itself from here on.
  ~LaunchThread();

  /// Readable while there is something to see.
  int news() const { return news_.number(); }
  enum class Look : uint8_t { AtOnce, Wait };
  enum class Seen : uint8_t {
    Nothing,
    NewCode,  ///< the command stands still until answer()
    Started,  ///< it is stopped until answer(), for the last time unless hold() is called
    Over,     ///< it is not watched, or not any more
  };
  /// The events, one after the other; the last is Over. With Look::Wait, Nothing means that a signal came.
  Seen next(Look look);
  void answer();
  /// The command is to stand still, as the kernel's programs wait for: when this returns it does and NewCode has come,
  /// something else has, or it is not to be had (1 s).
  void hold();

 private:
  explicit LaunchThread(std::unique_ptr<LaunchWatch> watch) : watch_(std::move(watch)) {}
  void work(HeldCommand command, LaunchWatch::Until until);
  void report(Seen seen);
  void wait_for_answer();

  std::unique_ptr<LaunchWatch> watch_;
  OwnedFd news_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Seen> seen_;
  bool is_answered_ = false, is_leaving_ = false, is_over_ = false;
  struct sigaction before_{};
  std::thread thread_;
};

}  // namespace strut
