// Waiting for tracees without taking their stops away from the kernel.
//
// A tracer that dies between wait4(2), which takes a signal-delivery-stop's signal out of the tracee, and the restart
// that puts it back, loses that signal. So a stop is only looked at (WNOWAIT, wait(2)) and taken by the restart itself:
// should the tracer die in between, the kernel delivers the signal. A stop that is looked at comes again until the
// tracee is restarted; a stop that must last must be taken, and so must PTRACE_EVENT_EXEC (Lives::follow_exec).
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.hpp"

namespace strut {

/// A change of state of a child or tracee.
struct Waited {
  Tid tid{};
  int status = 0;               ///< as wait4(2) stores it
  uint64_t system_time_ns = 0;  ///< for its process, children included; only on request
};

/// It is known to be stopped at this signal.
Waited stopped_by(Tid tid, int signal);

/// Whether the CPU time is wanted too.
enum class Usage : uint8_t { Omit, Measure };

/// Children and tracees of the whole of strut, or of the calling thread only.
enum class WaitScope : uint8_t { Process, Thread };

/// Sleeps until the state of one has changed. nullopt: errno is EINTR (a signal to strut) or ECHILD (no process is
/// left).
std::optional<Waited> look_at_next(Usage usage, WaitScope scope = WaitScope::Process);

/// Does not sleep; nullopt: no state has changed.
std::optional<Waited> look_at_any(WaitScope scope);

/// Looks at one tracee of the calling thread, without sleeping. nullopt: it runs, or is none.
std::optional<Waited> look_at(Tid tid, Usage usage);

/// Sleeps until the state of this tracee or child of the calling thread has changed. nullopt: errno says EINTR or
/// ECHILD.
std::optional<Waited> wait_for(Tid tid);

/// For a thread that was restarted and may be killed by another one's execve: the kernel reports the death of
/// a first thread only when the others have exited, for which they need the tracer. nullopt: it is dead so far.
std::optional<Waited> wait_unless_dead(Tid tid);

/// Takes a stop that was looked at, or buries the dead.
void take(Tid tid);

}  // namespace strut
