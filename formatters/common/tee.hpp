// One stream of events for two sinks.
#pragma once

#include <memory>

#include "trace/sink.hpp"

namespace strut {

/// Gives every event to `first`, then to `second`; the first Error ends it.
std::unique_ptr<Sink> make_tee(std::unique_ptr<Sink> first, std::unique_ptr<Sink> second);

}  // namespace strut
