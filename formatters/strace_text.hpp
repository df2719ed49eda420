// strace's text, byte for byte: a Sink that prints events as lines.
#pragma once

#include <memory>
#include <string>

#include "core/sink.hpp"
#include "formatters/output.hpp"
#include "formatters/strace_style.hpp"

namespace strut {

/// Prints to `output`. What strace says on its own stderr ("Process N attached") is not printed here: cli does.
std::unique_ptr<Sink> make_strace_text(StraceStyle style, std::unique_ptr<Output> output);

}  // namespace strut
