// Values as ltrace writes them: 'c', [ 1, 2 ], { 3, "s" }, nil.
#pragma once

#include "formatters/common/text_buffer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// Appends the value. `string_bytes`: -s; a string of just so many is followed by `...` as a longer one is (0: it is
/// not). What ltrace has no words for (flags, addresses of sockets) looks as strace writes it.
void put_ltrace_value(TextBuffer& out, const Value& value, size_t string_bytes);

}  // namespace strut
