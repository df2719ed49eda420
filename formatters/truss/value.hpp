// Values as truss writes them: addresses as 0x%.8X, data two columns a byte, strings in quotes.
#pragma once

#include <string_view>

#include "formatters/common/text_buffer.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// `0x0000ABCD`: at least eight digits.
void put_truss_hex(TextBuffer& out, uint64_t number);

/// One byte in two columns: ` c`, `\n`, `7F`.
void put_truss_byte(TextBuffer& out, char byte);

/// `" h e l l o\n"`, at most its first 12 bytes, with `..` if there is more.
void put_truss_buffer(TextBuffer& out, std::string_view bytes, bool more);

/// `"/etc/passwd"`, with `..` if it was cut.
void put_truss_string(TextBuffer& out, std::string_view bytes, bool cut);

/// Whether a value is the content at an address and no scalar, so that it is shown below the call (-v).
bool is_structure(const Value& value);

/// A value beside the call. Structures are not for it; flags and names look as strace writes them.
void put_truss_value(TextBuffer& out, const Value& value);

/// The content of a structure, with all its fields.
void put_truss_structure(TextBuffer& out, const Value& value);

}  // namespace strut
