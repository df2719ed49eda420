// Values as strace writes them.
#pragma once

#include "formatters/common/text_buffer.hpp"
#include "formatters/strace/style.hpp"
#include "syscalls/value.hpp"

namespace strut {

/// How the values of one call look.
struct ValueLooks {
  NamesAs names = NamesAs::Abbrev;
  HexStrings hex_strings = HexStrings::No;
  uint8_t fd_shows = 0;  ///< FdShows
  bool full = false;     ///< structures with their detail fields (-v)
};

/// Appends the value's text, with its comment. Pending and Absent are nothing.
void put_value(TextBuffer& out, const Value& value, const ValueLooks& looks);

/// `name=value`; the value alone where the name is empty.
void put_field(TextBuffer& out, const FieldValue& field, const ValueLooks& looks);

/// `name=`.
void put_label(TextBuffer& out, std::string_view name);

/// ` /* text */`.
void put_comment(TextBuffer& out, std::string_view text);

/// A signal's name, its number if it has none.
void put_signal_name(TextBuffer& out, int32_t number);

/// `<…>` behind a descriptor as far as `looks.fd_shows` asks for it.
void put_fd_target(TextBuffer& out, const FdTarget& target, const ValueLooks& looks);

/// `<comm>` after a process id; of a name with a newline only the part before it.
void put_comm(TextBuffer& out, std::string_view comm, const ValueLooks& looks);

/// `[CHLD INT]`, or the complement where most bits are set.
void put_signal_set(TextBuffer& out, const SignalSet& set, const ValueLooks& looks);

}  // namespace strut
