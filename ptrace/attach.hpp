// Attaches to running processes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace strut {

/// What came of an attempt: the threads that are seized and told to stop, and lines for the user where it failed.
struct Attached {
  std::vector<Tid> threads;
  std::vector<std::string> complaints;
  /// Why threads of the process could not be had while others could, for who cannot do without: breakpoints would kill
  /// them. Empty: all are there.
  std::string lacking;
};

/// Whether all threads of the process are wanted (-f) or the one named.
enum class AttachTo : uint8_t { Thread, Process };

/// Waits until all of these threads, which PTRACE_INTERRUPT was sent to, stand or have exited. When none of them has stopped for a
/// second, those in an uninterruptible sleep are given up; after five seconds the others, too. To be called before
/// anything is put into their memory: a thread that is making a process has begun that before it was seized, so no
/// event tells of the child, whose memory is made when the thread gets there.
void await_stops(std::span<const Tid> threads);

/// Seizes with PTRACE_O_ options and interrupts. Looks at /proc/PID/task again until no new thread turns up.
Attached attach(Pid pid, AttachTo extent, unsigned seize_options);

}  // namespace strut
