// The parents of traced processes.
#pragma once

#include <functional>
#include <unordered_map>

#include "trace/event.hpp"

namespace strut {

/// The process that made each process; of one that was there before the trace, its parent when it was first reported.
class Parents {
 public:
  /// `parent_of`: the parent of a process at this moment; Pid{}: not known.
  explicit Parents(std::function<Pid(Pid)> parent_of) : parent_of_(std::move(parent_of)) {}

  /// The parent of the event's process; Pid{}: it is not known. Every event is to be passed.
  Pid of(const Event& event);

 private:
  Pid of_new(const Event& event);
  /// Pid{}: no event of the thread has been passed.
  Pid process_of(Tid thread) const;

  std::function<Pid(Pid)> parent_of_;
  std::unordered_map<int32_t, Pid> parents_;   ///< by process
  std::unordered_map<int32_t, Pid> processes_;  ///< by threads that are no leaders
};

}  // namespace strut
