// The tables at the end of a truss -c: a Sink that only writes when it finishes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "formatters/common/output.hpp"
#include "formatters/truss/style.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Counts faults, signals, calls of functions and of the system. `user_ns`: CPU time that the targets have spent in
/// user code since it was made, as far as that is known; asked for now and then, and at the end. Needs
/// Call::system_time_ns.
std::unique_ptr<Sink> make_truss_summary(TrussStyle style, std::function<std::optional<uint64_t>()> user_ns,
                                         std::shared_ptr<Output> output);

}  // namespace strut
