// Starts the command, held by the tracer before its execve.
#pragma once

#include <sys/types.h>

#include "core/request.hpp"
#include "core/result.hpp"

namespace strut {

/// A process that is seized and goes on to raise SIGSTOP, then calls execve. Its own calls before that are not to be
/// shown. If execve fails it ends with status 1.
struct Launched {
  Pid pid{};
  bool is_child = true;  ///< false with -D: its wait status is its parent's business
};

/// Forks. With Daemon modes this process becomes the command, and a new one returns from here as the tracer.
/// `seize_options`: PTRACE_O_ bits.
Result<Launched> launch(const TraceRequest& request, unsigned seize_options);

}  // namespace strut
