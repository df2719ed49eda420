// Stacks in which Python frames stand behind the C functions that run them.
#pragma once

#include "trace/unwinder.hpp"
#include "ustack/python_code.hpp"
#include "ustack/python_threads.hpp"

namespace strut {

/// At most `limit` frames. The native ones must all be there, for they say where the others belong; Python frames of C
/// functions beyond a stack that could not be followed to its beginning come last. Views live as long as `codes`.
KeptStack with_python(const Stack& native, std::span<const PythonFrame> python, PythonCodes& codes, Memory& memory,
                      size_t limit);

}  // namespace strut
