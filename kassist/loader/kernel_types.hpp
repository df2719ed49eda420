// The part of the running kernel's type information (BTF) that the programs look into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"

namespace strut {

/// The kernel types that programs need.
struct TypesWanted {
  std::vector<std::string> structs;    ///< "task_struct": with the structures that are part of it, and of each …
  std::vector<std::string> members;    ///< … those members that have one of these names, or none
  std::vector<std::string> hooks;      ///< names with ids that are needed, of typedefs ("btf_trace_sys_enter"),
  std::vector<std::string> functions;  ///< for functions ("bpf_iter_task"): half of all types, so that it takes longer
};

/// Combines the needs of several objects: a search of all kernel types takes a millisecond.
TypesWanted operator+(TypesWanted some, const TypesWanted& more);

/// libbpf reads and indexes all 126,000 types of a kernel (10 to 20 ms at each start); programs name a dozen
/// structures.
struct KernelTypes {
  /// A BTF blob of its own, for bpf_object_open_opts::btf_custom_path: the wanted structures and their parts. The
  /// targets of pointers are left out: CO-RE only needs the places of members.
  std::vector<std::byte> btf;
  std::unordered_map<std::string, uint32_t> hooks;    ///< ids in the kernel's own BTF; those it has
  std::unordered_map<std::string, uint32_t> structs;  ///< the structures by name
};

/// Picks from a whole BTF blob (Documentation/bpf/btf.rst, <linux/btf.h>). Error: it is malformed.
Result<KernelTypes> pick_types(std::span<const std::byte> kernel, const TypesWanted& wanted);

/// Selects them from /sys/kernel/btf/vmlinux. Error: this kernel has no BTF (CONFIG_DEBUG_INFO_BTF), or it cannot be
/// read.
Result<KernelTypes> running_kernel_types(const TypesWanted& wanted);

}  // namespace strut
