// --stats FILE: one JSON object about a run.
#pragma once

#include <string>

#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "dtrace/session/session.hpp"
#include "trace/backend.hpp"

namespace strut {

/// The object: backend, events, lost, unseen, startup_ms.
std::string stats_json(std::string_view backend, const BackendStats& stats);

/// The statistics of a dtrace run, with probes and the instructions that they are on.
std::string stats_json(std::string_view engine, const DEngineCounts& counts, const DSessionCounts& session);

/// Before a run: whether the file can be written; it is created. Empty: nothing is asked for.
Result<void> check_stats_file(const std::string& file);

/// Writes the statistics to a file, replacing its contents.
Result<void> write_stats(const std::string& file, const Backend& backend);
Result<void> write_stats(const std::string& file, std::string_view engine, const DEngineCounts& counts,
                         const DSessionCounts& session);

}  // namespace strut
