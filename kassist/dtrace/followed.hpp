// The processes with reported code, and which of them live on without their first thread.
#pragma once

#include <cstdint>
#include <set>

#include "base/ids.hpp"

namespace strut {

/// A uprobe's link is to the thread that was first when it was armed. If another thread execs, it takes over that
/// number: the link belongs to no process, and its uprobes are not inserted into the new program (but it would run at
/// those of other links).
class DFollowed {
 public:
  void add(Pid pid) { followed_.insert(pid); }
  void remove(Pid pid) { followed_.erase(pid); }
  bool has(Pid pid) const { return followed_.contains(pid); }
  const std::set<Pid>& all() const { return followed_; }

  /// `lives`: other threads of it may go on.
  void lose_first_thread(Pid pid, bool lives) {
    if (!has(pid)) return;
    if (lives) headless_.insert(pid);
    else remove(pid);
  }
  /// True: the number was a first thread's that had exited.
  bool take_over_first_thread(Pid pid) { return headless_.erase(pid) != 0; }

 private:
  std::set<Pid> followed_;
  std::set<Pid> headless_;
};

}  // namespace strut
