// Signals by name and number, and the language of -e signal=SET.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace strut {

/// A set of signal numbers 1..64; bit n is signal n.
using SignalNumbers = std::bitset<65>;

/// Names of 1..31 as <asm/signal.h> of x86 has them (SIGIO, not SIGPOLL), then SIGRTMIN for 32 and SIGRT_1 … SIGRT_32:
/// realtime signals counted as the kernel counts them. nullptr for any other number.
const char* signal_name(int number);

/// The number of a name, with or without SIG, in any case, or of a decimal number up to 255.
std::optional<int> signal_number(std::string_view text);

/// Parses a list as -e signal= takes it: names and numbers between commas, a leading `!`, `all`, `none`.
/// The Error's `why` is the text behind "strace: ": "invalid signal 'foo'".
Result<SignalNumbers> parse_signal_set(std::string_view text);

}  // namespace strut
