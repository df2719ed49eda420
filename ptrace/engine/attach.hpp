// Attaches to running processes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

/// The result of an attempt: the threads that are seized and asked to stop, and lines for the user where it failed.
struct Attached {
  std::vector<Tid> threads;
  std::vector<std::string> complaints;
  /// The reason why some threads of the process could not be seized, for callers that need all: breakpoints would kill
  /// them. Empty: all are seized.
  std::string lacking;
};

/// The failure of an attach with breakpoints; `lacking`: Attached::lacking.
Error lacks_threads(Pid pid, std::string lacking);

/// One of a process's threads that has memory: the first thread may have exited.
Tid living_thread(std::span<const Tid> threads);

/// Whether all threads of the process are wanted (-f) or the one named.
enum class AttachTo : uint8_t { Thread, Process };

/// Waits until all of these threads, each of which got PTRACE_INTERRUPT, have stopped or exited. Threads in an
/// uninterruptible sleep are given up when no thread has stopped for a second, the others after five seconds. To be
/// called before anything is put into the memory of these threads: a thread that is making a process may have begun
/// that before it was seized, so that no event reports the child, and the child's memory is copied when the thread runs
/// on.
void await_stops(std::span<const Tid> threads);

/// Seizes with PTRACE_O_ options and interrupts. Looks at /proc/PID/task again until no new thread turns up.
Attached attach(Pid pid, AttachTo extent, unsigned seize_options);

}  // namespace strut
