// Calls of functions as truss writes them.
#pragma once

#include "formatters/common/text_buffer.hpp"
#include "syscalls/function.hpp"

namespace strut {

/// How arguments and results look: six registers in hexadecimal, or as their types say.
enum class FunctionLooks : uint8_t { Registers, Words };

/// `-> libc:malloc(0x10, 0x0, 0x7fff5c3b, 0x1, 0x0, 0x0)`, two blanks for each level of nesting in front. A function
/// without a module label is the program's own. Decoded text needs a known prototype.
void put_truss_entry(TextBuffer& out, const FunctionCall& call, const DecodedCall& decoded, FunctionLooks looks);

/// `<- libc:malloc() = 0x55e5c4f2a2a0`; numbers below 65536 in decimal.
void put_truss_return(TextBuffer& out, const FunctionCall& call, const DecodedCall& decoded, FunctionLooks looks);

}  // namespace strut
