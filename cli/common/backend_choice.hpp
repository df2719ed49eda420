// The backend of a request: as the user asked, or chosen by the request and this machine's permissions.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/common/own_options.hpp"
#include "trace/backend.hpp"
#include "trace/request.hpp"

namespace strut {

struct Chosen {
  BackendChoice backend = BackendChoice::Ptrace;  ///< not Auto
  std::string why;                                ///< a clause: "a command is launched, …"
};

/// --backend=auto chooses ptrace for requests that change the target, without the privileges that kassist needs, and
/// for a command to be launched (a short one ends before kassist's programs are loaded). It chooses kassist for
/// function calls, for processes that another tracer holds, and for many threads, unless its uprobes would slow the
/// machine (backend_for()), those of a command by a trial start. Error: they would, and breakpoints are impossible.
Result<Chosen> choose(BackendChoice wish, const TraceRequest& request);

/// The facts that choose() looks at and its decision, as lines of text.
Result<std::string> explain_choice(const OwnOptions& own, const TraceRequest& request);

/// The request's cost for the machine under kassist, where it exceeds the limit of --backend=auto. nullopt: it does
/// not.
std::optional<std::string> machine_cost(const TraceRequest& request);

/// Whether another tracer holds a process.
bool has_tracer(Pid pid);

/// Whether kassist reports the cost of its uprobes when they exceed the budget later.
enum class LaterCost : uint8_t {
  Said,
  Known,  ///< machine_cost() was reported
};

/// The backend for a choice that is not Auto. Error: it does not support the request. `listener`, which must outlive
/// it, hears of files whose lines are not all known.
Result<std::unique_ptr<Backend>> make_backend(BackendChoice choice, const OwnOptions& own, const TraceRequest& request,
                                              LaterCost later, Listener& listener);

}  // namespace strut
