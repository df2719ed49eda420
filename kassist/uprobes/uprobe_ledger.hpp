// strut's uprobes in the code of processes, in memory that outlives the process that armed them.
//
// The kernel cannot remove a uprobe for a thread that is being killed ("failed to unregister, leaking uprobe", seen on
// 6.18): a process that is killed while it arms or disarms uprobes leaves them in its targets' code, where they call no
// program any more, but each hit is a trap. Arming the same points anew and disarming them removes them from all
// processes that map the file. So armed points are recorded, and the process that survives the tracer removes them.
//
// The kernel also closes the links of a dead process one after another, and waits tens of milliseconds at each: 8 to
// 29 s for a program that makes many processes. So the guardian takes the descriptors of the links from the dying
// tracer, which then ends at once, and closes them side by side. The guardian is not being killed, so that the kernel
// removes the uprobes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"

namespace strut {

struct UprobePoint;

class UprobeLedger {
 public:
  /// Makes the ledger of this process and of those forked from it later. Without it nothing is recorded or removed.
  static void open();
  /// To be called before these points of a file are armed by links (UprobeMechanism::Multi), for whatever process.
  /// Points beyond the room are not recorded: 2,048 sets of points, a million in all.
  static void note(const std::string& path, std::span<const UprobePoint> points);
  /// A link is being made; links have been closed.
  static void begun();
  static void ended(size_t links);
  /// A link's descriptor is open, and is about to be closed.
  static void opened(int link);
  static void closing(int link);
  /// For a process with the same ledger that may trace the tracer: while the tracer is stopped at its exit, duplicates
  /// the descriptors of its links. System calls only.
  static void keep_links(Pid tracer);
  /// The tracer is dead: closes the duplicates. System calls only.
  static void close_kept();
  /// Removes the uprobes that a process has left, which has exited and was not waited for yet. System calls only.
  static void mend(Pid ended);
};

}  // namespace strut
