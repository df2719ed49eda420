// How `strut stack` shows a process: text or JSON.
#pragma once

#include <string>

#include "cli/stack/options.hpp"
#include "cli/stack/thread.hpp"

namespace strut {

/// Text with the frames of strace -k, or one JSON object a thread. Bytes that a process chose are escaped.
std::string stack_text(const StackProcess& process);
std::string stack_json(const StackProcess& process);

}  // namespace strut
