// truss's text: a Sink that prints calls of the system and of functions, signals and faults as lines.
#pragma once

#include <memory>

#include "core/sink.hpp"
#include "formatters/output.hpp"
#include "formatters/truss_style.hpp"

namespace strut {

std::unique_ptr<Sink> make_truss_text(TrussStyle style, std::shared_ptr<Output> log);

}  // namespace strut
