// Starts the command, held by the tracer before its execve.
#pragma once

#include <vector>

#include <linux/filter.h>

#include "base/result.hpp"
#include "trace/request.hpp"

namespace strut {

/// A process that is seized and goes on to raise SIGSTOP, then calls execve. Its own calls before that are not to be
/// shown. If execve fails it ends with status 1. The SIGSTOP's si_code is SI_TKILL if a seccomp filter is in force,
/// else SI_USER; it is for the tracer alone and must not be delivered.
struct Launched {
  Pid pid{};
  bool is_child = true;  ///< false with -D: its wait status is its parent's business
};

/// Forks. With Daemon modes this process becomes the command, and a new one returns from here as the tracer.
/// `seize_options`: PTRACE_O_ bits. `filter`: a seccomp program for the command; empty: none.
Result<Launched> launch(const TraceRequest& request, unsigned seize_options, const std::vector<sock_filter>& filter);

}  // namespace strut
