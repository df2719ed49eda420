// Values as ltrace writes them: 'c', [ 1, 2 ], { 3, "s" }, nil.
#pragma once

#include "formatters/common/text_buffer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// Appends the value. `string_bytes`: -s; a string of exactly this length is followed by `...` like a longer one (0: it
/// is not). Kinds that ltrace has no form for (flags, addresses of sockets) look as in strace.
void put_ltrace_value(TextBuffer& out, const Value& value, size_t string_bytes);

}  // namespace strut
