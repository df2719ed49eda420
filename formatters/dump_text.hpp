// Hexadecimal dumps behind a line (-e read, -e write).
#pragma once

#include <span>

#include "core/call.hpp"
#include "formatters/text_buffer.hpp"

namespace strut {

/// Appends the pieces with their headings, each line ended.
void put_dumps(TextBuffer& out, std::span<const Dump> dumps);

}  // namespace strut
