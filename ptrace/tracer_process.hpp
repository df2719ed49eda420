// The tracer as a process of its own, so that what strut is killed with does not reach it.
//
// A breakpoint kills a target whose tracer has died: memory can be put back by anybody (Guardian), but a thread that
// has just trapped gets SIGTRAP, and only its tracer could take that away. So who puts breakpoints into targets is not
// the process that users know and kill, but its child, with another name and in another process group. It lets go of
// its targets in its own time when its parent has died. Not covered: who kills that child.
#pragma once

#include "core/ids.hpp"
#include "core/result.hpp"

namespace strut {

class TracerProcess {
 public:
  /// Forks, with no other thread alive. Returns in the child; the process that called hands its signals on, and ends as
  /// the child ends. To be called before a command is forked, which is to be the tracer's child. Does nothing when
  /// called again.
  static Result<void> separate();
  /// The process that users know is dead: all targets are to be let go at once. From then on SIGALRM comes every few
  /// milliseconds.
  static bool is_orphaned();
  /// The process that users know and its parent: strut's own, if it was not separated.
  struct Known {
    Pid pid{}, parent{};
  };
  static Known known();
  /// The process group that commands belong to: the one that the child was forked from. 0: nobody was.
  static int32_t home_group();
};

}  // namespace strut
