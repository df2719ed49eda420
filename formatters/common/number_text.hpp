// Numbers with a meaning (modes, devices, ports, limits) as strace writes them.
#pragma once

#include "formatters/common/text_buffer.hpp"
#include "formatters/common/value_text.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// Appends the number as its `show` says; -X raw and -X verbose want the plain number of symbolic values.
void put_number(TextBuffer& out, const Number& number, const ValueLooks& looks);

/// A number of unknown type as ltrace writes it: decimal up to 10000 either way, else hexadecimal.
void put_guess(TextBuffer& out, const Number& number);

/// An enumeration's value or a flag word.
void put_named(TextBuffer& out, const Named& named, NamesAs names);

/// `inet_pton(AF_INET6, "::1")`; with a field's name `inet_pton(AF_INET6, "::1", &name)`, and `name="\x00…"` where
/// names are not wanted.
void put_inet6(TextBuffer& out, const Inet6& address, std::string_view field, const ValueLooks& looks);

}  // namespace strut
