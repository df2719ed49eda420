// Reads registers of threads that do not run by a BPF program: no thread is stopped.
#pragma once

#include <memory>

#include "trace/blocked_threads.hpp"

namespace strut {

/// Error: this kernel, or this user, cannot; of a restricted caller always, for the program shows any thread.
Result<std::unique_ptr<BlockedThreads>> blocked_threads_of(Pid pid);

}  // namespace strut
