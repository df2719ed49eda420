// Hexadecimal dumps behind a line (-e read, -e write).
#pragma once

#include <span>

#include "formatters/common/text_buffer.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// Appends the pieces with their headings, each line ended.
void put_dumps(TextBuffer& out, std::span<const Dump> dumps);

}  // namespace strut
