// What threads wait for, and which of them wait for each other.
#pragma once

#include "cli/stack/thread.hpp"

namespace strut {

/// Fills in what each thread waits for and the deadlocks. Stacks and calls must be there. A cycle is a deadlock only
/// where all of its threads are still in the same calls after the owners of all of its locks were read.
void find_waits(StackProcess& process);

}  // namespace strut
