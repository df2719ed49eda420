// Exiting processes: a thread with a reported exit may not have ended yet.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.hpp"

namespace strut {

/// Whether a thread is there and no zombie.
bool lives(Tid tid);
/// Whether any of a process's threads lives.
bool has_living(Pid pid);

class Leaving {
 public:
  /// One of its threads ends; the first thread of a process ends, too, where another takes its place.
  void begins(Pid pid);
  /// Processes of which no thread lives any more, each once. A process that lives on for long has only lost a thread.
  std::vector<Pid> gone();
  void forget(Pid pid) { since_ns_.erase(pid); }

 private:
  std::map<Pid, uint64_t> since_ns_;  ///< CLOCK_MONOTONIC
};

}  // namespace strut
