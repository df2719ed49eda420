// Opens and loads the embedded BPF object by libbpf, without libbpf's slow steps, and its programs in parallel.
#pragma once

#include <future>
#include <string_view>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/loader/embedded_object.hpp"
#include "kassist/loader/kernel_types.hpp"
#include "kassist/loader/object_types.hpp"

struct bpf_object;

namespace strut {

/// The program that reports system calls.
inline constexpr std::string_view kCallHooks = "raw_tp/sys_enter+sched_switch+sys_exit";
inline constexpr std::string_view kIteratorHook = "iter/";
/// Programs of uprobes (kassist/uprobes/uprobes.hpp), which a link attaches.
inline constexpr std::string_view kUprobeHook = "hits/";

/// Whether numbers can be pointers in the programs (kernel/common/cast.bpf.h).
bool can_cast(const KernelTypes& types);
/// Whether programs can have a function run when their thread returns to user mode (kernel/syscalls/late.bpf.h).
bool has_task_work(const KernelTypes& types);

/// A program that is being loaded.
struct LoadingProgram {
  std::string_view section;     ///< the object's
  std::future<int> descriptor;  ///< or -errno

  /// Once, when it is loaded.
  Result<OwnedFd> loaded();
};

/// An object's programs, in their order there, and the threads that load them. The object must not be closed before
/// those have ended.
struct LoadingPrograms {
  std::vector<LoadingProgram> programs;
  std::vector<std::future<void>> workers;
};

/// Attaches a program as its section says: to tracepoints by their names ("raw_tp/one+another"), or to one by its id
/// ("tp_btf/one"). Descriptors are added to `links`: closing one detaches the program.
Result<void> attach_by_section(std::string_view section, const OwnedFd& program, std::vector<int>& links);

class ObjectLoader {
 public:
  static Result<ObjectLoader> open(Edition edition);
  /// Not loaded yet; the code that opened it closes it (bpf_object__close).
  bpf_object* object() const { return object_; }
  /// The kernel types that the programs to be loaded refer to.
  TypesWanted types_wanted() const;
  /// Makes the maps, and begins to load the programs; those of other sections than "raw_tp/", "tp_btf/", "iter/" and
  /// "hits/" are libbpf's and loaded when this returns. `types`: at least those that are wanted. They must outlive this
  /// call alone.
  Result<LoadingPrograms> load(const KernelTypes& types);

 private:
  ObjectLoader() = default;

  MemoryFile types_;
  bpf_object* object_ = nullptr;
};

}  // namespace strut
