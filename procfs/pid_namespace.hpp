// Numbers of processes across pid namespaces: pid_namespaces(7); strut's user namespace.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.hpp"

namespace strut {

/// Whether strut is in the machine's initial pid namespace, with the kernel's own numbers. nullopt: /proc does not show
/// it.
std::optional<bool> numbers_are_the_kernels();

/// The inode of strut's own pid namespace; 0: /proc does not show it.
uint32_t own_pid_namespace();

/// Whether strut is in the machine's initial user namespace, the only one in which capabilities count for BPF. nullopt:
/// /proc does not show it.
std::optional<bool> capabilities_are_the_kernels();

/// False only if the thread is known to be in another pid namespace than strut.
bool shares_our_pid_namespace(Tid thread);

/// The process or thread that `thread`'s pid namespace numbers `id`, in strut's numbers. Looks through /proc: slow.
std::optional<int32_t> find_in_pid_namespace(Tid thread, int32_t id);

}  // namespace strut
