// Why a process cannot be traced, in the words that every backend uses.
#pragma once

#include <string>

#include "base/ids.hpp"

namespace strut {

/// "Process 12".
inline std::string process_name(Pid pid) { return "Process " + std::to_string(raw(pid)); }

inline std::string kernel_thread_refusal(Pid pid) {
  return process_name(pid) + " is a kernel thread and cannot be traced";
}

/// A zombie.
inline std::string ended_refusal(Pid pid) {
  return process_name(pid) + " has ended; its parent has not waited for it yet";
}

/// For a process that lives, has no tracer, and may not be traced by this one.
std::string permission_refusal(Pid pid);

}  // namespace strut
