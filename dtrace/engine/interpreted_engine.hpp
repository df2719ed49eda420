// The engine that interprets clauses: on threads that a ProbeHost halts, or without any target.
#pragma once

#include <memory>

#include "dlang/machine/engine.hpp"
#include "trace/probe_host.hpp"
#include "trace/uprobe_conflicts.hpp"

namespace strut {

/// `host`: nullptr: no probe is a process's; BEGIN, END, ERROR and tick are all that can be had. `conflicts`: of its
/// breakpoints.
std::unique_ptr<DEngine> make_interpreted_engine(std::unique_ptr<ProbeHost> host, UprobeConflictReport conflicts = {});

}  // namespace strut
