// trace/probe_host by ptrace(2).
#pragma once

#include <memory>

#include "trace/probe_host.hpp"

namespace strut {

/// To be called after TracerProcess::separate(), by the thread that will call everything else.
std::unique_ptr<ProbeHost> make_ptrace_probe_host();

}  // namespace strut
