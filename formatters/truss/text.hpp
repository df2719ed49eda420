// truss's text: a Sink that prints calls of the system and of functions, signals and faults as lines.
#pragma once

#include <memory>

#include "formatters/common/output.hpp"
#include "formatters/truss/style.hpp"
#include "trace/sink.hpp"

namespace strut {

std::unique_ptr<Sink> make_truss_text(TrussStyle style, std::shared_ptr<Output> log);

}  // namespace strut
