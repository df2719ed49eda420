// --stats FILE: one JSON object about a run.
#pragma once

#include <string>

#include "core/backend.hpp"
#include "core/result.hpp"

namespace strut {

/// The object: backend, events, lost, unseen, startup_ms.
std::string stats_json(std::string_view backend, const BackendStats& stats);

/// Writes it to a file, replacing what was there.
Result<void> write_stats(const std::string& file, const Backend& backend);

}  // namespace strut
