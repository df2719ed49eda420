// The state of a thread and of its process that breakpoints need.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <signal.h>

#include "base/ids.hpp"
#include "ptrace/breakpoints/address_space.hpp"
#include "ptrace/breakpoints/memory_watch.hpp"
#include "ptrace/breakpoints/trap_guard.hpp"
#include "ptrace/breakpoints/untraced_clone.hpp"
#include "ptrace/breakpoints/watched_calls.hpp"
#include "ptrace/engine/startup_linker.hpp"

namespace strut {

struct ProbedProcess {
  Pid pid{};
  std::shared_ptr<AddressSpace> space;  ///< others' too, where they share memory (vfork)
  StartupLinker linker;
  bool starts = false;                     ///< the dynamic linker is still at work
  bool borrows_space = false;              ///< the parent's (vfork): until it execs, which may have happened by now
  size_t codes_seen = 0;                   ///< how much of all code has been looked for in it where a call returned to
  bool is_reported = true;                 ///< false: a child that is not followed and runs in its parent's memory
  bool has_no_slots = false;               ///< memory for them cannot be had in it
  std::shared_ptr<WatchedMemory> watched;  ///< those of others, too, where they share memory; nullptr: none is
  std::optional<TrapGuard> guard;
  bool guard_was_tried = false;
  WatchedCalls watched_calls;
  std::shared_ptr<CallPlaces> call_places;  ///< those of all processes of the trace
  bool blocks_trap_alone = false;           ///< threads may block SIGTRAP and nothing else
  bool traps_are_shared = false;            ///< one has blocked SIGTRAP at an int3 while there were others
  bool cause_is_awaited = false;  ///< an int3 has reset the action for SIGTRAP, of a thread that is not handled yet
  std::set<uint64_t> blocking_places;  ///< for watched calls, that have blocked SIGTRAP
  /// Functions that may be left unseen, with the return addresses of their calls.
  std::set<std::pair<uint32_t, uint64_t>> returns_seen;
};

struct ProbedThread {
  Tid tid{};
  std::shared_ptr<ProbedProcess> process;
  bool calls_in_slot = false;  ///< the next call is made from a slot
  UntracedClone untraced_clone{};
  bool is_at_int3 = false;               ///< the SIGTRAP that it stands at is known to be an int3's
  bool is_trapped = false;               ///< it is stopped after one of strut's int3s, which is being handled
  bool trap_was_blocked = false;         ///< at the int3 that is being handled
  bool may_have_lost_trap = false;       ///< the action was put back while it stood at an int3
  std::optional<uint64_t> known_mask{};  ///< blocked signals, at its last int3 or since
  std::optional<siginfo_t> own_trap{};   ///< the SIGTRAP that comes once more, and that the thread dies of
  bool made_vfork = false;  ///< the last stop reported a vfork: asleep, it waits for that child and cannot be stopped
  bool is_settled = false;  ///< it was moved in front of its breakpoint before its stop was taken (Traps::settle)
  /// Instructions that it was about to run in slots when a signal came, with its stack pointer: back there, the probes
  /// have fired already. The innermost handler's last.
  struct Fired {
    uint64_t home, sp;
  };
  std::vector<Fired> fired;
  std::vector<ThreadBreakpoint> breakpoints{};  ///< as WatchedMemory::ranges
  std::optional<uint64_t> mask_to_restore{};    ///< blocked signals, of which SIGTRAP is let through until it has come

  void note_fired(uint64_t home, uint64_t sp) {
    if (fired.size() == kMaxFired) fired.erase(fired.begin());  // handlers that never return
    fired.push_back({home, sp});
  }
  bool take_fired(uint64_t home, uint64_t sp) {
    for (size_t i = fired.size(); i-- > 0;)
      if (fired[i].home == home && fired[i].sp == sp) return fired.resize(i), true;
    return false;
  }

 private:
  static constexpr size_t kMaxFired = 16;
};

}  // namespace strut
