// What printf's and scanf's format strings say about the arguments behind them: printf(3), scanf(3).
#pragma once

#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "syscalls/function.hpp"

namespace strut {

/// Appends what a printf format takes, in order. `declared`: how many arguments stand before them (`%.*s` is as long as
/// an argument says). At most kMaxDecodedArgs in all.
void append_printf(std::string_view format, std::vector<ArgType>& types);
void append_scanf(std::string_view format, std::vector<ArgType>& types);

/// Reads the format of a call whose declared arguments are fetched, and fills in call.varargs with those and the
/// format's. False: the format cannot be read, and what follows is not known.
bool add_format_arguments(FunctionCall& call, Memory& memory);

/// scanf returned: arguments that it did not come to are addresses.
void forget_unassigned(FunctionCall& call);

}  // namespace strut
