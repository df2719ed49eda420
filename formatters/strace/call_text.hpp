// One system call as strace writes it: name and arguments at enter, the rest and the result at exit.
#pragma once

#include "formatters/common/text_buffer.hpp"
#include "formatters/common/value_text.hpp"
#include "formatters/strace/style.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// How much of the arguments stands in a line already.
struct ArgsShown {
  uint8_t whole = 0;     ///< leading arguments
  bool partial = false;  ///< the one behind them as it was at enter: `[5`, to be continued by ` => 6]`
};

/// The looks of this call's values.
ValueLooks looks_of(const StraceStyle& style, const Call& call);

/// The call's name: "openat", "syscall_0x1bad".
void put_call_name(TextBuffer& out, const Call& call);

/// `name(`.
void put_call_open(TextBuffer& out, const Call& call);

/// The arguments that are known at enter.
ArgsShown put_call_args(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded);

/// The arguments that are not shown yet; ` <unfinished ...>` for a call that never returned and had more to show.
void put_call_rest(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded,
                   ArgsShown shown);

/// Further results of a call: ` (flags O_RDONLY)`.
void put_aux(TextBuffer& out, const Value& aux, const ValueLooks& looks);

/// `)`, blanks up to the result's column, and everything from `= ` on, without the end of the line.
void put_call_result(TextBuffer& out, const StraceStyle& style, const Call& call, const DecodedCall& decoded);

}  // namespace strut
