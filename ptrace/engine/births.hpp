// Children of probed threads, from their parent's clone to their own first stop: they are born with its breakpoints.
//
// The kernel reports a child twice, by its parent's event and by its own first stop, in either order.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ptrace/engine/probed.hpp"

namespace strut {

class Births {
 public:
  struct Child {
    std::shared_ptr<ProbedProcess> process;  ///< the parent's own, for a thread
    Tid parent{};                            ///< 0: it exited before its event was handled
    bool is_copy = false;                    ///< with memory of its own, and not followed: to be freed before it runs
    std::optional<ClearedFlag> cleared{};    ///< for the call that made it
    bool lacks_guard = false;                ///< the parent had none yet when the kernel made it
  };

  /// The parent stands at the event that reports this child, and its memory is as it was when the child got it.
  /// `follow`: processes are, threads always. True: the child has arrived already.
  bool expect(ProbedThread& parent, Tid child, bool follow);
  /// nullptr: no event has reported it.
  const Child* expected(Tid child) const {
    auto found = expected_.find(raw(child));
    return found == expected_.end() ? nullptr : &found->second;
  }
  /// A child stands at its first stop. nullopt: no event has reported it; it is to stay there until expect() or
  /// died() names it, or no known thread is its parent: `is_stranger`. `of`: the process of a pid, or nullptr.
  using Processes = std::function<std::shared_ptr<ProbedProcess>(Pid)>;
  std::optional<Child> arrived(Tid child, const Processes& of, bool& is_stranger);
  /// A process has exited; `others` are the living threads that run in its memory. Returns its children that have
  /// arrived and that no event will report: expected from now on.
  std::vector<Tid> died(const std::shared_ptr<ProbedProcess>& process, std::span<const Tid> others, bool follow);
  /// A child has exited.
  void forget(Tid child);
  bool empty() const { return expected_.empty() && early_.empty(); }
  /// Whether a child is going to begin in this memory.
  bool await_one_in(const AddressSpace& space) const;

  /// Frees a copy, which stands still, of all that is strut's, and lets it go.
  static void let_copy_go(Tid child, const Child& copy);
  /// For a child with an unknown parent: it has the breakpoints of one of these processes, or of one that ended.
  void let_stranger_go(Tid child, const std::vector<std::shared_ptr<ProbedProcess>>& living) const;

 private:
  enum class Memory : uint8_t { Copied, Shared };
  static Child child_of(const std::shared_ptr<ProbedProcess>& parent, Memory memory, Tid child, bool follow);

  static constexpr size_t kRemembered = 8;
  std::unordered_map<int32_t, Child> expected_;
  std::unordered_map<int32_t, std::shared_ptr<ProbedProcess>> early_;  ///< with their parent's process
  std::deque<std::shared_ptr<ProbedProcess>> ended_;  ///< the last few: children of theirs may still turn up
};

}  // namespace strut
