// The backend for anyone: ptrace(2) with PTRACE_SEIZE and PTRACE_GET_SYSCALL_INFO.
#pragma once

#include <memory>

#include "trace/backend.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// `unwinder`: for requests that want stacks; nullptr: there are none then.
std::unique_ptr<Backend> make_ptrace_backend(std::unique_ptr<Unwinder> unwinder);

}  // namespace strut
