// The backend for anyone: ptrace(2) with PTRACE_SEIZE and PTRACE_GET_SYSCALL_INFO.
#pragma once

#include <memory>

#include "ptrace/engine/ptrace_parts.hpp"
#include "trace/backend.hpp"

namespace strut {

std::unique_ptr<Backend> make_ptrace_backend(PtraceParts parts);

}  // namespace strut
