// Stops a command while its dynamic linker starts, each time that there is new code and none of it has run; those of
// the programs that it executes later, too, if that is wanted.
//
// Implemented in ptrace/, for backends that trace by other means and want to be there in time. Whatever way strut ends
// meanwhile, the kernel lets go of the command, and it runs on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

class LaunchWatch {
 public:
  virtual ~LaunchWatch() = default;

  /// To be called before the command (trace/held_command.hpp) is released, by the thread that will call run(). Error:
  /// it cannot be traced (EPERM: another tracer has it, Yama); it may be released all the same, and runs by itself.
  virtual Result<void> seize(Pid command) = 0;

  enum class End : uint8_t {
    LetGo,        ///< it runs by itself
    Dead,         ///< the wait status is still to be waited for
    Interrupted,  ///< leave(), or a signal asks strut to end (Interruption::caught); it runs by itself
  };
  enum class Until : uint8_t {
    Started,  ///< the program runs
    Ended,    ///< until its end, even if it execs again; no other process can trace it meanwhile
  };
  enum class Stage : uint8_t {
    NewCode,  ///< the command stands still, after an execve, after a mapping of code by its dynamic linker, or for
              ///< hold()
    /// It still stands, and runs by itself when this returns: it is about to make a system call from outside of the
    /// linker, by which time all that it was linked with is mapped, or it is linked statically. With Until::Started the
    /// watch lets go of it for good.
    Started,
  };
  /// After seize() and release; returns when the watch has let go of the command.
  virtual End run(Until until, const std::function<void(Stage)>& at) = 0;
  /// May be called by another thread, which then interrupts the system call that run() is in (a signal to its thread)
  /// until it has returned.
  virtual void leave() = 0;
  /// Holds the command until NewCode has come: it must stop as soon as it runs its own code again.
  virtual void hold() = 0;
};

using MakeLaunchWatch = std::function<std::unique_ptr<LaunchWatch>()>;

}  // namespace strut
