// Where processes are found by the numbers that strut has for them.
#pragma once

namespace strut {

/// "/proc". Where that shows another pid namespace than strut's (unshare --pid without a mount), the root of a procfs of
/// strut's own, which is mounted nowhere: "/proc/self/fd/1023". Where that cannot be had (it needs CAP_SYS_ADMIN in the
/// namespace's user namespace, Linux 5.2) a path at which nothing is, so that no other process is taken for the one
/// that is meant. Decided at the first call, which belongs before any fork.
const char* proc_root();

/// The descriptor of a procfs of strut's own, which is to stay open; -1: there is none.
int proc_root_descriptor();

/// False: processes cannot be looked at.
bool proc_is_usable();

}  // namespace strut
