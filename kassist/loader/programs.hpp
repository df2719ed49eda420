// The BPF programs in the kernel: loaded, attached, and gone with this object (or with the process, however it ends).
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/loader/frozen_constants.hpp"
#include "kassist/loader/object_loader.hpp"
#include "kassist/plans/plan_table.hpp"
#include "kassist/transport/lanes.hpp"
#include "kassist/wire/wire.h"

struct bpf_object;

namespace strut {

/// Settings that are fixed before the programs are loaded.
struct Tuning {
  uint32_t ring_bytes = 16 << 20;                  ///< a power of two, of pages
  wire_follow follow_children = WIRE_FOLLOW_NONE;  ///< the children that inherit marks at fork
  uint32_t around = 0;                             ///< enum wire_around: the reported context of calls
  bool detach_on_exec = false;  ///< a process that execs is not followed any more, except the launched command
  bool measure_system_time = false;
  bool return_times = true;         ///< for calls in lanes
  bool alone = false;               ///< mark() is called for one process's leader, and no other process is followed
  uint32_t stack_bytes = 0;         ///< for each event's user stack; 0: no stacks are requested
  bool frames_only = false;         ///< for a stack only the frames that frame pointers lead to
  uint32_t signal_state_bytes = 0;  ///< as signal_state_bytes() has it; 0: handlers' alternate stacks end there
  uint32_t seeds = 0;               ///< seed() will be called with so many ids at most; 0: it will not
  bool call_hooks = true;  ///< the hooks of system calls are attached: calls are reported, or a command is launched
  wire_choice choice{};    ///< for a system-wide trace
};

/// Features that some kernels lack.
struct KernelExtras {
  bool can_cast = false;
  bool has_task_work = false;
};
/// The constants of kernel/common/maps.bpf.h, which several objects have.
void set_common_constants(FrozenConstants& constants, const Tuning& tuning, LanesShape lanes, KernelExtras kernel);
/// Those that Edition::Plain does not have.
void set_more_constants(FrozenConstants& constants, const Tuning& tuning);

class Programs {
 public:
  /// Loads. No process is followed yet, and the plans are all zero: no call is wanted. Error: the kernel's refusal and
  /// its reason. `more`: the needs of other objects in kernel_types().
  static Result<Programs> load(const Tuning& tuning, const TypesWanted& more = {});
  Programs(Programs&&) noexcept;
  Programs& operator=(Programs&&) = delete;
  ~Programs();

  /// Calls are reported and copied by these plans from the next one on.
  Result<void> install(const PlanView& plans);
  /// After install(): this call is not reported.
  Result<void> leave_out(Abi abi, uint32_t nr) const;
  /// To be called before any process is followed. Error: as that of load(), which need not have come to its end.
  Result<void> attach();
  /// The descriptor of a map by its name, negative: there is none.
  int map(const char* name) const;
  /// The descriptor of the ring (BPF_MAP_TYPE_RINGBUF), and its size.
  int ring() const { return ring_; }
  size_t ring_bytes() const { return ring_bytes_; }
  Result<Lanes> lanes() const { return Lanes::over(map("lanes"), lanes_shape_); }
  const KernelTypes& kernel_types() const { return types_; }
  /// Shared memory too.
  wire_control& control() const { return *control_; }

  /// The losses so far, by tid. Expensive: it asks the kernel.
  std::vector<std::pair<Tid, wire_loss>> losses() const;

  /// Follows a process's leader from now on. Error ESRCH: it is gone.
  Result<void> mark(Pid pid, wire_mark_state state) const;

  /// Whether the first thread of the process behind a pidfd is followed at this moment; `pid`: its id.
  bool follows(const OwnedFd& pidfd, Pid pid) const;

  /// Detaches the hooks of system calls: no process pays for them any more, and calls made from now on are not
  /// reported.
  void leave_calls();
  /// Detaches all programs. No further events are reported, except the ends of calls that have begun.
  void stop();

  /// Threads that live already.
  struct Seeded {
    std::vector<wire_seed> followed;  ///< from now on; they were not before
    /// The kernel has no memory for their marks (wire_control::losses.unfollowed counts them).
    std::vector<wire_seed> refused;
  };
  /// Follows threads by their ids and enum wire_seeding, without stopping them.
  Result<Seeded> seed(const std::unordered_map<int32_t, wire_seeding>& ids) const;

 private:
  Programs() = default;
  Result<void> open(const Tuning& tuning, const TypesWanted& more);
  Result<void> find_maps();
  Result<void> attach_program(std::string_view section, OwnedFd program);
  Result<void> learn_ourselves() const;
  Result<void> unmark(Pid pid) const;
  void end(wire_ended what);

  KernelTypes types_;
  bpf_object* object_ = nullptr;
  std::vector<int> links_;       ///< descriptors: closed, the program is detached
  std::vector<int> call_links_;  ///< for the system-call hooks
  wire_control* control_ = nullptr;
  size_t ring_bytes_ = 0;
  LanesShape lanes_shape_{};
  int ring_ = -1;
  int losses_ = -1;
  int marks_ = -1;
  int seeds_ = -1;
  LoadingPrograms loading_;   ///< until attached
  OwnedFd seed_;              ///< the iterator's program
  bool alone_ = false;        ///< as Tuning has it
  bool knows_strut_ = false;  ///< the programs are to learn where strut stands
};

}  // namespace strut
