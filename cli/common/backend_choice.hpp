// Which backend traces a request: the user's word, or what is asked and what this machine permits.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/common/own_options.hpp"
#include "trace/backend.hpp"
#include "trace/request.hpp"

namespace strut {

/// --backend=auto: ptrace for what changes the target, without the privileges that kassist needs, and for a command to
/// be launched (a short one is over before kassist's programs are loaded); kassist for calls of functions, for
/// processes that another tracer holds, and for many at once, unless its uprobes would slow the machine
/// (backend_for()). Error: they would, and breakpoints are no way.
Result<BackendChoice> choose(BackendChoice wish, const TraceRequest& request);

/// What the request costs the machine by kassist, where that is more than --backend=auto permits. nullopt: it is not.
std::optional<std::string> machine_cost(const TraceRequest& request);

/// Whether another tracer holds a process.
bool has_tracer(Pid pid);

/// The backend for a choice that is not Auto. Error: it cannot do what the request asks.
Result<std::unique_ptr<Backend>> make_backend(BackendChoice choice, const OwnOptions& own, const TraceRequest& request);

}  // namespace strut
