// The common part of all personalities once the request is known: choose the backend, run it, write --stats, end like
// the command.
#pragma once

#include <optional>

#include "cli/common/message.hpp"
#include "cli/common/own_options.hpp"
#include "trace/request.hpp"
#include "trace/sink.hpp"

namespace strut {

/// How strut is to end.
struct Ending {
  int status = 0;                     ///< to exit with
  int signal = 0;                     ///< to die of; 0: exit
  std::optional<Pid> left_stopped{};  ///< the command, a child of this process, which SIGUSR2 was to leave so
};

/// Traces, or explains the backend's choice and traces nothing (OwnOptions::explains); failures go to `messages`. A
/// failing sink is reported once and then not used: a command still runs to its end, and its status is ours. Without a
/// command all targets are let go, and the run fails: by SIGPIPE if a reader left.
Ending run_request(const OwnOptions& own, const TraceRequest& request, Sink& sink, Messages& messages);

/// As a process ended with this wait status (wait4(2)).
Ending ending_with(int wait_status);

/// Dies of the signal if there is one, without a core; else returns the status.
int end(const Ending& ending);

}  // namespace strut
