// Children of tracees without breakpoints, from their parent's event to their own first stop.
//
// The kernel reports a child twice, in either order.
#pragma once

#include <optional>
#include <unordered_map>

#include "ptrace/engine/tracee.hpp"

namespace strut {

struct Newborn {
  Pid pid{};
  Tid parent{};                     ///< 0: not known
  const SyscallDesc* by = nullptr;  ///< the call that made it
};

class Newborns {
 public:
  /// The parent stands at this PTRACE_EVENT_ of a child that is no tracee yet.
  void expect(Tracee& parent, int event, Tid child);
  /// A child stands at its first stop. nullopt: it is an old status of a thread that is gone.
  std::optional<Newborn> arrived(Tid child, const TraceeTable& tracees);
  void forget(Tid child) { expected_.erase(raw(child)); }
  bool empty() const { return expected_.empty(); }
  auto begin() const { return expected_.begin(); }
  auto end() const { return expected_.end(); }

 private:
  std::unordered_map<int32_t, Newborn> expected_;
};

}  // namespace strut
