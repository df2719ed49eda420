// How long those are waited for that were told to stop, so that they can be let go.
#pragma once

#include <cstdint>
#include <string_view>

namespace strut {

/// `states`: those (proc(5), "/proc/pid/stat") of the threads that have not stopped, after so many nanoseconds. A
/// thread in an uninterruptible sleep (a vfork parent, a hung disk) cannot be stopped: it is left to the kernel, which
/// lets go of it when strut ends. One that waits for a CPU may be at a breakpoint that is gone by now, and would go on
/// within an instruction.
bool is_patience_over(uint64_t waited_ns, std::string_view states);

}  // namespace strut
