// The sizes and switches of a run's programs, by its request.
#pragma once

#include "kassist/loader/programs.hpp"
#include "kassist/syscalls/kassist_backend.hpp"
#include "trace/request.hpp"

namespace strut {

/// Whether system calls are reported, or are needed for other events.
bool needs_calls(const TraceRequest& request);
/// Only a launched command and its children are followed.
bool is_command_alone(const TraceRequest& request);

/// Error: the filter of a system-wide trace names something that is not there.
Result<Tuning> tuning_for(const TraceRequest& request, const Transport& transport);

}  // namespace strut
