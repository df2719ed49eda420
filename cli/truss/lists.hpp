// The lists of truss's options: names and numbers between commas, `all`, and `!` before exclusions (truss(1)).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "syscalls/decoder.hpp"
#include "syscalls/machine_faults.hpp"
#include "syscalls/signal_names.hpp"
#include "syscalls/syscall_set.hpp"

namespace strut {

/// The state of one option. Its first list clears the default, unless it begins with `!`.
template <typename Set>
struct ListOption {
  Set set{};
  bool given = false;
};

/// Each takes one list. Errors name the word that means nothing, with the option's letter in front.
Result<void> take_calls(ListOption<SyscallSet>& option, std::string_view list, char letter);
Result<void> take_signals(ListOption<SignalNumbers>& option, std::string_view list, char letter);
Result<void> take_faults(ListOption<FaultNumbers>& option, std::string_view list, char letter);
Result<void> take_descriptors(ListOption<FdChoice>& option, std::string_view list, char letter);

/// The calls that a word of -t means: a name of truss's (`open` is open, openat, openat2 and creat), a name of Linux's
/// in any of its ABIs, or a number of x86-64's. Empty: none.
SyscallSet calls_named(std::string_view word);

}  // namespace strut
