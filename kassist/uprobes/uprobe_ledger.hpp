// strut's uprobes in the code of processes, in memory that outlives the process that armed them.
//
// The kernel cannot take a uprobe out for a thread that is being killed ("failed to unregister, leaking uprobe", seen
// on 6.18): whoever is killed while uprobes come or go leaves them in his targets' code, where nobody is called any
// more, but each hit is a trap. Who arms the same points anew and disarms them takes them out for everybody who has the
// file mapped. So it is noted what is armed, and who outlives the tracer mends.
//
// The kernel also closes the links of a dead process one after another, and waits tens of milliseconds at each: 8 to
// 29 s for a program that makes many processes. So the guardian takes the descriptors of the links from the dying
// tracer, which ends at once then, and closes them side by side. It is not being killed, so the uprobes are removed.
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
  /// Makes the one of this process and of all that are forked from it later. Without it nothing is noted, and nothing
  /// mended.
  static void open();
  /// To be called before these points of a file are armed by links (UprobeMechanism::Multi), for whatever process.
  /// Points beyond the room are not recorded: 2,048 sets of points, a million in all.
  static void note(const std::string& path, std::span<const UprobePoint> points);
  /// A link is being made; there is none any more.
  static void begun();
  static void ended(size_t links);
  /// A link's descriptor is open, and is about to be closed.
  static void opened(int link);
  static void closing(int link);
  /// For a process with the same ledger that may trace the tracer: while the tracer stands at its exit, duplicates the
  /// descriptors of its links. System calls only.
  static void keep_links(Pid tracer);
  /// The tracer is dead: closes the duplicates. System calls only.
  static void close_kept();
  /// For the process that noted, which has ended and was not waited for yet: takes out whatever it has left. System
  /// calls only.
  static void mend(Pid ended);
};

}  // namespace strut
