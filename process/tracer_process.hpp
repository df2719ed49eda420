// The tracer as a process of its own, so that signals that kill strut do not reach it.
//
// A breakpoint kills a target of a dead tracer, and a process that dies of SIGKILL cannot remove its uprobes from
// other processes' code: the kernel fails to ("failed to unregister, leaking uprobe", seen on 6.18) and leaves them
// there. So the process that puts either into targets is not the one that users know and kill (the front process) but
// its child, the tracer, with another name and in another process group. When the front process has died, it detaches
// from its targets in its own time. For the case that the tracer itself is killed: ptrace/guardian/guardian.hpp,
// kassist/uprobes/uprobe_ledger.hpp.
#pragma once

#include <signal.h>

#include <functional>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

class TracerProcess {
 public:
  /// Actions of the front process: one at the beginning, before the tracer acts; it returns one for the tracer's end,
  /// which gets its wait status. The tracer is a zombie until that has returned.
  using Standing = std::function<std::function<void(int status)>(Pid tracer)>;
  /// Forks, with no other thread alive. Returns in the child; the calling process passes its signals on, and ends as
  /// the child ends. To be called before a command is forked, which must be the tracer's child. Does nothing when
  /// called again. Without a command, the child belongs to a session of its own, so that killing a whole session does
  /// not reach it either; a command must belong to the session and the group of strut's parent.
  enum class Launches : bool { No, Yes };
  static Result<void> separate(Launches launches, const Standing& standing = {});
  /// The process that users know is dead, or about to die: all targets are to be let go at once. From then on SIGALRM
  /// comes every few milliseconds.
  static bool is_orphaned();
  /// Notifies the tracer that it is orphaned. System calls only.
  static void report_orphaned(int pidfd);
  /// The tracer has come a step further with letting go: a guardian that waits for it does not take it to be stuck.
  static void note_progress();
  /// How many steps the tracer has noted. For the front process and processes forked from it.
  static uint32_t progress();
  /// The tracer is about to end as its command did, by a signal perhaps: it has let go of everything.
  static void note_end();
  /// Whether it noted that. For the front process.
  static bool ended_by_itself();
  /// Whether the kernel sent a signal to strut by itself, as a terminal does for typed keys: to this process, or to the
  /// front process, which passed it on. May be called by the signal's handler.
  static bool is_typed(const siginfo_t& info);
  /// The process that users know and its parent: strut's own, if it was not separated.
  struct Known {
    Pid pid{}, parent{};
  };
  static Known known();
  /// The process group of commands: that of the process that forked the child. 0: there was no fork, or no command.
  static int32_t home_group();
  /// Belongs to that group again, for its end: a group is orphaned when its last member with a parent outside it ends,
  /// and the kernel sends SIGHUP to those of it that are stopped (_exit(2)): targets that strut must leave stopped.
  static void rejoin();
};

}  // namespace strut
