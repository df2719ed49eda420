// Finds the objects that threads wait for, and threads that wait for each other.
#pragma once

#include "cli/stack/thread.hpp"

namespace strut {

/// Fills in each thread's wait and the deadlocks. Stacks and calls must be set. A cycle is a deadlock only
/// where all of its threads are still in the same calls after the owners of all of its locks were read.
void find_waits(StackProcess& process);

}  // namespace strut
