// Stops a command while its dynamic linker starts, each time that there is new code and none of it has run.
//
// Implemented in ptrace/, for backends that trace by other means and want to be there in time. Whatever way strut ends
// meanwhile, the kernel lets go of the command, and it runs on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/held_command.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"

namespace strut {

class LaunchWatch {
 public:
  virtual ~LaunchWatch() = default;

  /// To be called before the command (core/held_command.hpp) is released, by the thread that will call run(). Error: it
  /// cannot be traced (EPERM: somebody else traces it, Yama); it may be released all the same, and runs by itself.
  virtual Result<void> seize(Pid command) = 0;

  enum class End : uint8_t {
    LetGo,        ///< it runs by itself
    Dead,         ///< its wait status is still to be waited for
    Interrupted,  ///< a signal asks strut to end (Interruption::caught); it runs by itself
  };
  /// After seize() and release. Calls `new_code` while the command stands still, after its execve and after each
  /// mapping of code by its dynamic linker. Lets go of it for good at the first system call made from outside of the
  /// linker, by which time all that it was linked with is mapped, or, if it is linked statically, after its execve.
  virtual End run(const std::function<void()>& new_code) = 0;
};

using MakeLaunchWatch = std::function<std::unique_ptr<LaunchWatch>()>;

/// Releases a held command, and returns when `watch` has let go of it: seize(), release, run(). nullptr, or where it cannot be
/// seized: it is only released, and runs by itself.
void launch_watched(HeldCommand& command, LaunchWatch* watch, const std::function<void()>& new_code);

}  // namespace strut
