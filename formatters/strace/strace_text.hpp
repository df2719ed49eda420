// strace's text, byte for byte: a Sink that prints events as lines.
#pragma once

#include <memory>

#include "formatters/common/output.hpp"
#include "formatters/strace/style.hpp"
#include "trace/sink.hpp"

namespace strut {

/// Prints lines to `log`, and to `messages` strace's own messages about events ("strace: Process N
/// attached", "… detached"; AttachedEvent, DetachedEvent). Both may be the same object: a message then goes into the
/// middle of an open line. `messages` may be nullptr: no messages.
std::unique_ptr<Sink> make_strace_text(StraceStyle style, std::shared_ptr<Output> log,
                                       std::shared_ptr<Output> messages);

}  // namespace strut
