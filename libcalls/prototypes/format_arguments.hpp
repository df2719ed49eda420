// The arguments that printf's and scanf's format strings take: printf(3), scanf(3).
#pragma once

#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "syscalls/function.hpp"

namespace strut {

/// Appends the types of a printf format's arguments, in order. `declared`: the number of arguments before them (`%.*s`
/// is as long as an argument says). At most kMaxDecodedArgs in all.
void append_printf(std::string_view format, std::vector<ArgType>& types);
void append_scanf(std::string_view format, std::vector<ArgType>& types);

/// Reads the format of a call with fetched declared arguments, and fills in call.varargs with those and the format's.
/// False: the format cannot be read, and the other arguments are unknown.
bool add_format_arguments(FunctionCall& call, Memory& memory);

/// scanf returned: arguments that it did not come to are addresses.
void forget_unassigned(FunctionCall& call);

}  // namespace strut
